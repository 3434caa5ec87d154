// What all shaders share. Places are relative to what the camera looks at; colours are sRGB at the edges and linear
// inside.

struct Globals {
    clip_from_scene: mat4x4<f32>,
    eye: vec4<f32>,          // w: how far the floor reaches
    up: vec4<f32>,           // w: height of the floor
    floor_u: vec4<f32>,      // w: the target's place along it, in cells
    floor_v: vec4<f32>,
    key: vec4<f32>,          // towards the light; w: height of the tallest body
    fill: vec4<f32>,         // w: strength of shadows
    rim: vec4<f32>,
    view: vec4<f32>,         // width, height, length of a cell, height of a pixel at distance one
    shadow: vec4<f32>,       // middle and half side of the shadowed square; fading with height
    back_top: vec4<f32>,
    back_bottom: vec4<f32>,
    floor_colour: vec4<f32>,
    line_colour: vec4<f32>,
    axis_u: vec4<f32>,       // w: where it crosses the other direction
    axis_v: vec4<f32>,
};

@group(0) @binding(0) var<uniform> globals: Globals;

fn linear_from_srgb(c: vec3<f32>) -> vec3<f32> {
    return pow(c, vec3<f32>(2.2));
}

fn srgb_from_linear(c: vec3<f32>) -> vec3<f32> {
    return pow(max(c, vec3<f32>(0.0)), vec3<f32>(1.0 / 2.2));
}

// The background at a pixel, counted from the upper edge.
fn backdrop(y: f32) -> vec3<f32> {
    return mix(globals.back_top.rgb, globals.back_bottom.rgb, smoothstep(0.0, 1.0, y / globals.view.y));
}
