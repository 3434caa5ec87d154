// Characters: skin carried by one or two joints, lit like clay in a studio.

struct Joint {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
};

@group(1) @binding(0) var<storage, read> joints: array<Joint>;

struct Skin {
    @location(0) place: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) joints: vec2<u32>,
    @location(3) look: vec4<f32>,     // share of the second joint, facing, dark, accent
    @location(4) colour: vec4<f32>,
    @location(5) first_joint: u32,
    @location(6) highlight: u32,
};

struct Carried {
    place: vec3<f32>,
    normal: vec3<f32>,
};

fn carried(skin: Skin) -> Carried {
    let a = joints[skin.first_joint + skin.joints.x];
    let b = joints[skin.first_joint + skin.joints.y];
    let x = mix(a.x, b.x, skin.look.x);
    let y = mix(a.y, b.y, skin.look.x);
    let z = mix(a.z, b.z, skin.look.x);
    let p = vec4<f32>(skin.place, 1.0);
    let n = vec4<f32>(skin.normal, 0.0);
    return Carried(
        vec3<f32>(dot(x, p), dot(y, p), dot(z, p)),
        vec3<f32>(dot(x, n), dot(y, n), dot(z, n)),
    );
}

struct BodyPoint {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) look: vec4<f32>,
    @location(3) @interpolate(flat) colour: vec4<f32>,
};

@vertex
fn body_vertex(skin: Skin) -> BodyPoint {
    let moved = carried(skin);
    var look = skin.look;
    look.x = select(0.0, 1.0, skin.joints.x == skin.highlight);
    return BodyPoint(
        globals.clip_from_scene * vec4<f32>(moved.place, 1.0),
        moved.place,
        moved.normal,
        look,
        skin.colour,
    );
}

@fragment
fn body_fragment(point: BodyPoint) -> @location(0) vec4<f32> {
    let n = normalize(point.normal);
    let v = normalize(globals.eye.xyz - point.place);
    let up = globals.up.xyz;
    var base = linear_from_srgb(point.colour.rgb);
    // The back is a shade darker and a fine line parts it from the front, so that twist shows.
    let facing = point.look.y * 2.0 - 1.0;
    let soft = max(fwidth(facing), 0.01);
    let front = smoothstep(-soft, soft, facing);
    let seam = 1.0 - smoothstep(0.035, 0.035 + soft, abs(facing));
    base *= mix(0.66, 1.0, front) * mix(1.0, 0.62, seam * (1.0 - point.look.z));
    let grey = vec3<f32>(dot(base, vec3<f32>(0.3, 0.5, 0.2)));
    base = mix(base, mix(grey, base, 0.55) * 0.22, point.look.z);
    base = mix(base, vec3<f32>(0.012, 0.014, 0.018), point.look.w);
    base = mix(base, linear_from_srgb(vec3<f32>(1.0, 0.93, 0.7)), 0.75 * point.look.x);

    let sky = mix(vec3<f32>(0.10, 0.095, 0.10), vec3<f32>(0.36, 0.39, 0.44), dot(n, up) * 0.5 + 0.5);
    let key = clamp((dot(n, globals.key.xyz) + 0.12) / 1.12, 0.0, 1.0);
    let fill = clamp((dot(n, globals.fill.xyz) + 0.4) / 1.4, 0.0, 1.0);
    var light = sky + vec3<f32>(1.0, 0.965, 0.91) * key * 1.25 + vec3<f32>(0.55, 0.66, 0.85) * fill * 0.22;
    // Near the floor less light comes in from below.
    let over = (dot(point.place, up) - globals.up.w) / max(globals.key.w, 1e-20);
    light *= mix(0.72, 1.0, smoothstep(-0.02, 0.16, over + 0.05 * dot(n, up)));

    let edge = 1.0 - clamp(dot(n, v), 0.0, 1.0);
    let half_way = normalize(globals.key.xyz + v);
    let gloss = pow(clamp(dot(n, half_way), 0.0, 1.0), 38.0) * 0.16 * (1.0 + 2.0 * point.look.w);
    let behind = clamp(dot(n, globals.rim.xyz) * 0.75 + 0.25, 0.0, 1.0);
    let rim = pow(edge, 3.0) * behind * 0.75;
    // A darker edge keeps bodies apart from what is behind them.
    let outline = mix(1.0, 0.55, smoothstep(0.62, 0.98, edge) * (1.0 - behind * 0.8));
    var colour = base * light * outline + vec3<f32>(gloss) + (base * 0.6 + 0.25) * rim;
    // Bright parts bend towards white instead of clipping.
    colour = colour * (1.0 + colour * 0.18) / (1.0 + colour * 0.42);
    return vec4<f32>(srgb_from_linear(colour), point.colour.a);
}

struct ShadowPoint {
    @builtin(position) clip: vec4<f32>,
    @location(0) dark: f32,
};

// Casts the body onto the floor along the light, as seen from above. What is high over the floor throws less shadow.
@vertex
fn shadow_vertex(skin: Skin) -> ShadowPoint {
    let moved = carried(skin).place;
    let up = globals.up.xyz;
    let over = max(dot(moved, up) - globals.up.w, 0.0);
    let thrown = moved - globals.key.xyz * (over / dot(globals.key.xyz, up));
    let place = vec2<f32>(dot(thrown, globals.floor_u.xyz), dot(thrown, globals.floor_v.xyz));
    let at = (place - globals.shadow.xy) / globals.shadow.z;
    let dark = exp(-over * globals.shadow.w) * skin.colour.a;
    return ShadowPoint(vec4<f32>(at.x, -at.y, 0.5, 1.0), dark);
}

@fragment
fn shadow_fragment(point: ShadowPoint) -> @location(0) vec4<f32> {
    return vec4<f32>(point.dark, 0.0, 0.0, 1.0);
}
