// Background, floor with its grid and shadows, and rings under planted feet.

@group(1) @binding(0) var shadow_map: texture_2d<f32>;
@group(1) @binding(1) var shadow_sampler: sampler;

@vertex
fn backdrop_vertex(@builtin(vertex_index) at: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2<f32>(f32((at << 1u) & 2u), f32(at & 2u));
    return vec4<f32>(corner * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn backdrop_fragment(@builtin(position) pixel: vec4<f32>) -> @location(0) vec4<f32> {
    return vec4<f32>(backdrop(pixel.y), 1.0);
}

struct FloorPoint {
    @builtin(position) clip: vec4<f32>,
    // On the floor, from under the target.
    @location(0) place: vec2<f32>,
};

@vertex
fn floor_vertex(@builtin(vertex_index) at: u32) -> FloorPoint {
    let corner = vec2<f32>(f32(at & 1u), f32(at >> 1u)) * 2.0 - 1.0;
    let place = corner * globals.eye.w;
    let scene = globals.floor_u.xyz * place.x + globals.floor_v.xyz * place.y + globals.up.xyz * globals.up.w;
    return FloorPoint(globals.clip_from_scene * vec4<f32>(scene, 1.0), place);
}

// How much of a pixel the lines at whole numbers cover; they fade where there would be several in a pixel.
fn lines(place: vec2<f32>, width_px: f32) -> f32 {
    let pixel = fwidth(place);
    let away = abs(fract(place - 0.5) - 0.5);
    let cover = 1.0 - smoothstep(vec2<f32>(0.5 * width_px), vec2<f32>(0.5 * width_px + 1.0), away / max(pixel, vec2<f32>(1e-9)));
    let sharp = 1.0 - smoothstep(vec2<f32>(0.15), vec2<f32>(0.6), pixel);
    return max(cover.x * sharp.x, cover.y * sharp.y);
}

fn one_line(along: f32, width_px: f32) -> f32 {
    let pixel = max(fwidth(along), 1e-9);
    return 1.0 - smoothstep(0.5 * width_px, 0.5 * width_px + 1.0, abs(along) / pixel);
}

@fragment
fn floor_fragment(point: FloorPoint) -> @location(0) vec4<f32> {
    let away = length(point.place) / globals.eye.w;
    let fade = pow(clamp(1.0 - away, 0.0, 1.0), 1.6);
    let cells = point.place / globals.view.z + vec2<f32>(globals.floor_u.w, globals.floor_v.w);
    let minor = lines(cells, 0.6) * 0.34;
    let major = lines(cells / 5.0, 1.0) * 0.62;
    var colour = globals.floor_colour.rgb;
    var alpha = 0.85 * fade * fade;
    let line = max(minor, major) * fade;
    colour = mix(colour, globals.line_colour.rgb, line / max(max(line, alpha), 1e-6));
    alpha = max(alpha, line);
    let on_u = one_line(point.place.y - globals.axis_u.w, 1.4) * fade * 0.8;
    let on_v = one_line(point.place.x - globals.axis_v.w, 1.4) * fade * 0.8;
    colour = mix(mix(colour, globals.axis_u.rgb, on_u), globals.axis_v.rgb, on_v);
    alpha = max(alpha, max(on_u, on_v));
    let uv = (point.place - globals.shadow.xy) / globals.shadow.z * 0.5 + 0.5;
    let inside = all(uv > vec2<f32>(0.0)) && all(uv < vec2<f32>(1.0));
    // Sampled everywhere, as derivatives and texture reads want it.
    let dark = textureSampleLevel(shadow_map, shadow_sampler, uv, 0.0).r;
    let shade = select(0.0, dark * globals.fill.w, inside);
    let out_alpha = alpha + shade * (1.0 - alpha);
    let seen = colour * alpha * (1.0 - shade) / max(out_alpha, 1e-6);
    return vec4<f32>(seen, out_alpha);
}

struct RingPoint {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec2<f32>,
    @location(1) colour: vec4<f32>,
};

@vertex
fn ring_vertex(
    @builtin(vertex_index) at: u32,
    @location(0) centre: vec4<f32>,
    @location(1) colour: vec4<f32>,
) -> RingPoint {
    let corner = (vec2<f32>(f32(at & 1u), f32(at >> 1u)) * 2.0 - 1.0) * 1.25;
    let aside = globals.floor_u.xyz * corner.x + globals.floor_v.xyz * corner.y;
    let scene = centre.xyz + aside * centre.w;
    return RingPoint(globals.clip_from_scene * vec4<f32>(scene, 1.0), corner, colour);
}

@fragment
fn ring_fragment(point: RingPoint) -> @location(0) vec4<f32> {
    let away = length(point.place);
    let soft = max(fwidth(away), 1e-4);
    let rim = 1.0 - smoothstep(0.07, 0.07 + soft, abs(away - 0.93));
    let disc = (1.0 - smoothstep(0.93, 0.93 + soft, away)) * 0.22;
    return vec4<f32>(point.colour.rgb, point.colour.a * max(rim, disc));
}
