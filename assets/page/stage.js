// Characters on a canvas, for the pages that Kinfolk writes. Places are in body heights, y is up.
const unpackedClips = new Map();
function unpackClip(clip) {
  if (!unpackedClips.has(clip)) {
    const text = atob(clip.data), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    const raw = new Int16Array(bytes.buffer), places = new Float32Array(raw.length);
    for (let i = 0; i < raw.length; i++) places[i] = raw[i] * clip.scale;
    unpackedClips.set(clip, { places, track: rootTrack(clip, places) });
  }
  return unpackedClips.get(clip);
}
// The body's place on the floor, smoothed over a second, so that steps do not shake a camera that follows it.
function rootTrack(clip, places) {
  const size = clip.points * 3, half = Math.round(clip.fps / 2), track = [];
  for (let row = 0; row < clip.n; row++) {
    let x = 0, z = 0, n = 0;
    for (let at = Math.max(0, row - half); at <= Math.min(clip.n - 1, row + half); at++, n++) {
      x += places[at * size]; z += places[at * size + 2];
    }
    track.push([x / n, z / n]);
  }
  return track;
}
// A clip at a moment between two rows: its joints and its smoothed root.
function poseAt(clip, row) {
  const { places, track } = unpackClip(clip), size = clip.points * 3;
  const before = Math.min(clip.n - 1, Math.floor(row)), after = Math.min(clip.n - 1, before + 1), share = row - before;
  const mix = (a, b) => a + (b - a) * share;
  const points = [];
  for (let i = 0; i < clip.points; i++) {
    const a = before * size + i * 3, b = after * size + i * 3;
    points.push([mix(places[a], places[b]), mix(places[a + 1], places[b + 1]), mix(places[a + 2], places[b + 2])]);
  }
  return { points, root: [mix(track[before][0], track[after][0]), mix(track[before][1], track[after][1])] };
}

class Stage {
  constructor(canvas, { far = 3.1, zoom = 1, turn = 0.75, tilt = 0.16 } = {}) {
    this.canvas = canvas; this.pen = canvas.getContext("2d");
    this.veil = document.createElement("canvas"); this.soft = this.veil.getContext("2d");
    this.far = far; this.zoom = zoom; this.turn = turn; this.tilt = tilt;
    let held = null;
    canvas.onpointerdown = event => { held = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); };
    canvas.onpointermove = event => {
      if (!held) return;
      this.turn += (event.clientX - held[0]) * 0.008;
      this.tilt = Math.max(0, Math.min(1.4, this.tilt + (event.clientY - held[1]) * 0.006));
      held = [event.clientX, event.clientY];
    };
    canvas.onpointerup = canvas.onpointercancel = () => { held = null; };
  }
  // figures: { clip, row, hue?, at? }; with `at` a figure stays at that place instead of travelling.
  // centre: the place on the floor that the camera looks at; without one, the first figure's. lines: places on the floor.
  draw(figures, { centre, lines = [], reach = 4.5 } = {}) {
    const { canvas, pen } = this;
    const ratio = window.devicePixelRatio || 1, box = canvas.getBoundingClientRect();
    const w = Math.max(1, Math.round(box.width * ratio)), h = Math.max(1, Math.round(box.height * ratio));
    for (const one of [canvas, this.veil]) if (one.width !== w || one.height !== h) { one.width = w; one.height = h; }
    const bodies = figures.map(({ clip, row, at, hue = 216 }) => {
      const { points, root } = poseAt(clip, row);
      if (at) for (const point of points) { point[0] += at[0] - root[0]; point[2] += at[1] - root[1]; }
      return { clip, points, hue, root: at ?? root };
    });
    const look = centre ?? bodies[0].root;
    const project = this.camera(look, w, h);
    const light = matchMedia("(prefers-color-scheme: light)").matches;
    const sky = pen.createLinearGradient(0, 0, 0, h);
    sky.addColorStop(0, light ? "#e9edf3" : "#1b1f27"); sky.addColorStop(1, light ? "#dde2ea" : "#12141a");
    pen.fillStyle = sky; pen.fillRect(0, 0, w, h);
    pen.lineCap = "round"; pen.lineJoin = "round";
    this.floor(project, look, reach, light);
    for (const { places, colour } of lines) {
      pen.strokeStyle = colour; pen.lineWidth = 2.5 * ratio; pen.beginPath();
      for (const [x, z] of places) { const [px, py] = project(x, 0, z); pen.lineTo(px, py); }
      pen.stroke();
    }
    this.shadow(bodies, project, light);
    const away = body => project(body.root[0], 0.5, body.root[1])[3];
    bodies.sort((p, q) => away(q) - away(p));
    for (const body of bodies) this.body(body, project, away(body), light);
  }
  camera([cx, cz], w, h) {
    const [st, ct, sp, cp] = [Math.sin(this.turn), Math.cos(this.turn), Math.sin(this.tilt), Math.cos(this.tilt)];
    const focus = Math.min(h * 2.15, w * 2.0) * this.zoom;
    return (x, y, z) => {
      const dx = x - cx, dz = z - cz, dy = y - 0.5;
      const right = ct * dx - st * dz, deep = st * dx + ct * dz;
      const up = cp * dy - sp * deep, away = this.far - (sp * dy + cp * deep);
      const k = focus / Math.max(0.3, away);
      return [w / 2 + right * k, h * 0.5 - up * k, k, away];
    };
  }
  // Part by part, the farthest first: limbs pass before and behind the trunk, and bones of one part grow together.
  body({ clip, points, hue }, project, middle, light) {
    const parts = [];
    for (const [from, to, thick, part] of clip.bones) {
      const a = project(...points[from]), b = project(...points[to]);
      (parts[part] ??= []).push({ a, b, width: thick * (a[2] + b[2]), away: (a[3] + b[3]) / 2 });
    }
    const away = part => part.reduce((sum, bone) => sum + bone.away, 0) / part.length;
    const order = parts.filter(part => part).sort((p, q) => away(q) - away(p));
    for (const part of order) {
      const tone = Math.max(0, Math.min(1, (middle + 0.3 - away(part)) / 0.6));
      const shade = (day, night) => light ? `hsl(${hue} 42% ${day - 10 + 12 * tone}%)` : `hsl(${hue} 36% ${night - 12 + 14 * tone}%)`;
      part.sort((p, q) => q.away - p.away);
      for (const [colour, share, shift] of [[shade(34, 22), 1, 0], [shade(54, 50), 0.82, -0.05], [shade(66, 66), 0.32, -0.17]]) {
        this.pen.strokeStyle = colour;
        for (const { a, b, width } of part) { this.pen.lineWidth = width * share; this.line(a, b, width * shift); }
      }
    }
  }
  // One soft shadow of all bones together, so that they do not add up.
  shadow(bodies, project, light) {
    const { soft, veil, pen } = this;
    soft.clearRect(0, 0, veil.width, veil.height);
    soft.lineCap = "round"; soft.strokeStyle = light ? "#2a3550" : "#000";
    for (const { clip, points } of bodies) for (const [from, to, thick] of clip.bones) {
      const a = project(points[from][0], 0, points[from][2]), b = project(points[to][0], 0, points[to][2]);
      soft.lineWidth = thick * 1.6 * a[2];
      soft.beginPath(); soft.moveTo(a[0], a[1]); soft.lineTo(b[0], b[1] + 0.01); soft.stroke();
    }
    pen.save();
    pen.globalAlpha = light ? 0.2 : 0.45; pen.filter = `blur(${Math.round(veil.height / 160)}px)`;
    pen.drawImage(veil, 0, 0);
    pen.restore();
  }
  line(a, b, shift = 0) {
    const { pen } = this;
    pen.beginPath(); pen.moveTo(a[0] + shift, a[1] + shift); pen.lineTo(b[0] + shift, b[1] + shift + 0.01); pen.stroke();
  }
  floor(project, [cx, cz], reach, light) {
    const step = 0.5, n = Math.round(reach / step), x0 = Math.round(cx / step), z0 = Math.round(cz / step);
    this.pen.lineWidth = 1;
    for (let i = -n; i <= n; i++) {
      const fade = 0.35 * (1 - Math.abs(i) / (n + 1));
      this.pen.strokeStyle = light ? `rgba(90,105,130,${fade})` : `rgba(150,165,190,${fade * 0.7})`;
      const [x, z] = [(x0 + i) * step, (z0 + i) * step], r = reach * 0.8;
      this.line(project(x, 0, cz - r), project(x, 0, cz + r));
      this.line(project(cx - r, 0, z), project(cx + r, 0, z));
    }
  }
}
