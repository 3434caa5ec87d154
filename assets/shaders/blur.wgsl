// Softens the shadows: nine steps of a bell curve by five reads, first along one side and then along the other.

@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var source_sampler: sampler;

@vertex
fn blur_vertex(@builtin(vertex_index) at: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2<f32>(f32((at << 1u) & 2u), f32(at & 2u));
    return vec4<f32>(corner * 2.0 - 1.0, 0.0, 1.0);
}

fn blurred(pixel: vec2<f32>, step: vec2<f32>) -> vec4<f32> {
    let size = vec2<f32>(textureDimensions(source));
    var sum = textureSampleLevel(source, source_sampler, pixel / size, 0.0).r * 0.227027;
    for (var side = -1.0; side < 2.0; side += 2.0) {
        sum += textureSampleLevel(source, source_sampler, (pixel + step * side * 1.384615) / size, 0.0).r * 0.316216;
        sum += textureSampleLevel(source, source_sampler, (pixel + step * side * 3.230769) / size, 0.0).r * 0.070270;
    }
    return vec4<f32>(sum, 0.0, 0.0, 1.0);
}

@fragment
fn blur_across(@builtin(position) pixel: vec4<f32>) -> @location(0) vec4<f32> {
    return blurred(pixel.xy, vec2<f32>(1.0, 0.0));
}

@fragment
fn blur_down(@builtin(position) pixel: vec4<f32>) -> @location(0) vec4<f32> {
    return blurred(pixel.xy, vec2<f32>(0.0, 1.0));
}
