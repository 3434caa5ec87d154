// Lines and balls of constant width in pixels, smooth at their edges.

const ON_SCREEN: u32 = 1u;
const BALL: u32 = 2u;
const ROUND_A: u32 = 4u;
const ROUND_B: u32 = 8u;

struct Stroke {
    @location(0) a: vec4<f32>,        // w: width
    @location(1) b: vec3<f32>,
    @location(2) kind: u32,
    @location(3) colour_a: vec4<f32>,
    @location(4) colour_b: vec4<f32>,
};

struct StrokePoint {
    @builtin(position) clip: vec4<f32>,
    // Along and across the line, in pixels.
    @location(0) @interpolate(linear) place: vec2<f32>,
    @location(1) @interpolate(flat) length: f32,
    @location(2) @interpolate(flat) half_width: f32,
    @location(3) @interpolate(flat) kind: u32,
    @location(4) @interpolate(linear) colour: vec4<f32>,
};

struct Seen {
    pixel: vec2<f32>,
    depth: f32,
};

fn seen(clip: vec4<f32>) -> Seen {
    let ndc = clip.xyz / clip.w;
    return Seen((vec2<f32>(ndc.x, -ndc.y) * 0.5 + 0.5) * globals.view.xy, ndc.z);
}

@vertex
fn stroke_vertex(@builtin(vertex_index) at: u32, stroke: Stroke) -> StrokePoint {
    var a = Seen(stroke.a.xy, 1.0);
    var b = Seen(stroke.b.xy, 1.0);
    var is_seen = true;
    if (stroke.kind & ON_SCREEN) == 0u {
        var clip_a = globals.clip_from_scene * vec4<f32>(stroke.a.xyz, 1.0);
        var clip_b = globals.clip_from_scene * vec4<f32>(stroke.b, 1.0);
        // What is behind the eye is cut off where the picture begins.
        let near = globals.clip_from_scene[3].z;
        is_seen = max(clip_a.w, clip_b.w) > near;
        let cut = (near - clip_a.w) / (clip_b.w - clip_a.w);
        if clip_a.w < near && is_seen {
            clip_a = mix(clip_a, clip_b, cut);
        } else if clip_b.w < near && is_seen {
            clip_b = mix(clip_a, clip_b, cut);
        }
        a = seen(clip_a);
        b = seen(clip_b);
    }
    let way = b.pixel - a.pixel;
    let length = length(way);
    let along = select(vec2<f32>(1.0, 0.0), way / max(length, 1e-6), length > 1e-6);
    let across = vec2<f32>(-along.y, along.x);
    let half_width = 0.5 * stroke.a.w;
    let is_b = (at & 1u) == 1u;
    let side = f32(at >> 1u) * 2.0 - 1.0;
    let round = select(ROUND_A, ROUND_B, is_b);
    let lid = select(0.0, half_width + 1.0, (stroke.kind & round) != 0u);
    let x = select(-lid, length + lid, is_b);
    let y = side * (half_width + 1.0);
    let pixel = a.pixel + along * x + across * y;
    let depth = select(a.depth, b.depth, is_b);
    let ndc = (pixel / globals.view.xy * 2.0 - 1.0) * vec2<f32>(1.0, -1.0);
    // Lines behind the eye go where nothing is drawn.
    let clip = select(vec4<f32>(2.0, 2.0, 2.0, 1.0), vec4<f32>(ndc, depth, 1.0), is_seen);
    let colour = select(stroke.colour_a, stroke.colour_b, is_b);
    return StrokePoint(clip, vec2<f32>(x, y), length, half_width, stroke.kind, colour);
}

@fragment
fn stroke_fragment(point: StrokePoint) -> @location(0) vec4<f32> {
    var off = vec2<f32>(0.0, point.place.y);
    if point.place.x < 0.0 && (point.kind & ROUND_A) != 0u {
        off.x = point.place.x;
    } else if point.place.x > point.length && (point.kind & ROUND_B) != 0u {
        off.x = point.place.x - point.length;
    }
    let away = length(off);
    let cover = clamp(point.half_width + 0.5 - away, 0.0, 1.0);
    var colour = point.colour.rgb;
    if (point.kind & BALL) != 0u {
        let t = off / max(point.half_width, 1e-6);
        let bulge = sqrt(max(1.0 - dot(t, t), 0.0));
        let light = clamp(dot(vec3<f32>(t.x, t.y, bulge), normalize(vec3<f32>(-0.4, -0.6, 0.8))), 0.0, 1.0);
        colour *= 0.62 + 0.42 * light;
        colour = mix(colour, vec3<f32>(0.03), 0.55 * smoothstep(point.half_width - 1.6, point.half_width - 0.4, away));
    }
    return vec4<f32>(colour, point.colour.a * cover);
}
