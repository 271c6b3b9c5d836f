extension ReportScript {
  /// The map: tracks, accuracy circles, course arrows, the cursor.
  static let map = #"""
    class TrackMap extends MetricMap {
      constructor(canvas, drive) {
        super(canvas, drive, drive.panel);
        this.placed = false;
        this.streets = drive.ground && drive.ground.streets;
        canvas.addEventListener('pointerleave', event => { if (event.pointerType === 'mouse') drive.setCursor(null); });
      }
      get actions() {
        const { drive } = this;
        return { ',': () => drive.step(-1), '.': () => drive.step(1), '<': () => drive.step(-10), '>': () => drive.step(10),
          Escape: () => drive.setCursor(null) };
      }
      resized(before) { if (this.width && (!before.width || !this.placed)) this.fit(); }

      // The whole track, or its part in the chart's window; far-off fixes do not push it into a corner.
      fit() {
        const { drive } = this;
        const main = drive.tracks.filter(track => track.role !== 'gnss');
        let west = Infinity, east = -Infinity, south = Infinity, north = -Infinity;
        for (const track of main.length ? main : drive.tracks)
          for (let i = 0; i < track.n; i++) {
            if (track.t[i] < drive.from || track.t[i] > drive.to) continue;
            west = Math.min(west, track.x[i]); east = Math.max(east, track.x[i]);
            south = Math.min(south, track.y[i]); north = Math.max(north, track.y[i]);
          }
        if (west > east || !this.width) return;
        const { width, height } = this;                // room for the buttons, the scale and the arrow
        this.scale = clamp(Math.min((width - 110) / Math.max(east - west, 5), (height - 90) / Math.max(north - south, 5)), 1e-4, 400);
        this.x = (west + east) / 2 + 17 / this.scale; this.y = (south + north) / 2 - 3 / this.scale;
        this.placed = true;
        drive.changed();
      }
      // The cursor goes to the moment whose fused position (or fix) is nearest the pointer, within 40 pixels.
      pick(at) {
        let best = 40 * 40, time = null;
        for (const track of [this.drive.lead, this.drive.gnss]) {
          if (!track || !this.drive.layers[track.role]) continue;
          for (let i = 0; i < track.n; i++) {
            if (track.t[i] < this.drive.from || track.t[i] > this.drive.to) continue;
            const dx = this.px(track.x[i]) - at.x, dy = this.py(track.y[i]) - at.y, d = dx * dx + dy * dy;
            if (d < best) { best = d; time = track.t[i]; }
          }
        }
        this.drive.setCursor(time);
      }

      draw() {
        if (!this.width) return;
        const { context: c, drive } = this;
        c.fillStyle = palette.map; c.fillRect(0, 0, this.width, this.height);
        this.drawGround(drive.layers.streets, drive.ground && drive.ground.frame);
        if (drive.layers.circles) this.drawCircles(drive.fused);
        for (const track of drive.tracks) {
          if (!drive.layers[track.role]) continue;
          if (drive.zoomed) { this.drawTrack(track, drive.start, drive.from, 0.18); this.drawTrack(track, drive.to, drive.end, 0.18); }
          this.drawTrack(track, drive.from, drive.to, 1);
        }
        if (drive.layers.arrows) this.drawArrows(drive.fused);
        if (drive.cursor !== null) this.drawCursor(drive.cursor);
        this.drawFrame();
      }
      drawTrack(track, from, to, alpha) {
        const { context: c } = this, { role } = track;
        const first = lowerBound(track, from), last = Math.min(track.n - 1, lowerBound(track, to + 1e-6));
        const dots = role === 'gnss';
        c.globalAlpha = alpha * (dots ? 0.55 : role === 'truth' ? 0.5 : 1);
        c.strokeStyle = palette[role]; c.lineJoin = c.lineCap = 'round';
        c.lineWidth = dots ? 1 : role === 'truth' ? 5 : role === 'causal' ? 2.25 : 1.75;
        c.beginPath();
        let lastX = NaN, lastY = NaN, lastT = -Infinity;
        for (let i = first; i <= last; i++) {
          const x = this.px(track.x[i]), y = this.py(track.y[i]);
          if (track.t[i] - lastT > track.gap) c.moveTo(x, y);
          else if (i < last && Math.abs(x - lastX) < 0.7 && Math.abs(y - lastY) < 0.7) { lastT = track.t[i]; continue; }
          else c.lineTo(x, y);
          lastX = x; lastY = y; lastT = track.t[i];
        }
        c.stroke();
        if (dots) {
          const r = clamp(1.6 + this.scale * 0.12, 1.8, 3.6);
          c.globalAlpha = alpha * 0.95; c.fillStyle = palette[role];
          c.beginPath();
          for (let i = first; i <= last; i++) {
            const x = this.px(track.x[i]), y = this.py(track.y[i]);
            if (x < -5 || y < -5 || x > this.width + 5 || y > this.height + 5) continue;
            c.moveTo(x + r, y); c.arc(x, y, r, 0, 2 * Math.PI);
          }
          c.fill();
        }
        c.globalAlpha = 1;
      }
      // The points of `track` in the window, no nearer to one another than `spacing` pixels.
      *spaced(track, spacing) {
        let lastX = Infinity, lastY = Infinity;
        const first = lowerBound(track, this.drive.from), last = Math.min(track.n, lowerBound(track, this.drive.to + 1e-6) + 1);
        for (let i = first; i < last; i++) {
          const x = this.px(track.x[i]), y = this.py(track.y[i]);
          if (Math.hypot(x - lastX, y - lastY) < spacing) continue;
          lastX = x; lastY = y;
          yield [i, x, y];
        }
      }
      // The union of all circles as one soft band, and single circles every 90 pixels.
      drawCircles(track) {
        const { context: c } = this;
        const path = spacing => {
          c.beginPath();
          for (const [i, x, y] of this.spaced(track, spacing)) {
            const r = track.a[i] * this.scale;
            if (!(r > 1) || x + r < 0 || y + r < 0 || x - r > this.width || y - r > this.height) continue;
            c.moveTo(x + r, y); c.arc(x, y, r, 0, 2 * Math.PI);
          }
        };
        c.fillStyle = c.strokeStyle = palette.causal;
        path(2); c.globalAlpha = 0.11; c.fill();
        path(90); c.globalAlpha = 0.5; c.lineWidth = 1; c.stroke();
        c.globalAlpha = 1;
      }
      drawArrows(track) {
        const { context: c } = this;
        c.fillStyle = palette.causal; c.strokeStyle = palette.map; c.lineWidth = 1.5; c.lineJoin = 'miter';
        for (const [i, x, y] of this.spaced(track, 90)) {
          if (!Number.isFinite(track.c[i]) || track.v[i] < 0.5) continue;
          if (x < -9 || y < -9 || x > this.width + 9 || y > this.height + 9) continue;
          c.save();
          c.translate(x, y); c.rotate(track.c[i] * Math.PI / 180);
          c.beginPath(); c.moveTo(0, -8); c.lineTo(5.5, 5.5); c.lineTo(0, 2.5); c.lineTo(-5.5, 5.5); c.closePath();
          c.stroke(); c.fill();
          c.restore();
        }
      }
      drawCursor(t) {
        const { context: c, drive } = this;
        const dot = (track, r) => {
          const i = nearest(track, t);
          if (i < 0 || !drive.layers[track.role]) return null;
          const at = { i, x: this.px(track.x[i]), y: this.py(track.y[i]) };
          c.fillStyle = palette[track.role]; c.strokeStyle = palette.card; c.lineWidth = 2;
          c.beginPath(); c.arc(at.x, at.y, r, 0, 2 * Math.PI); c.fill(); c.stroke();
          return at;
        };
        const ring = (at, radius, alpha) => {
          if (!(radius * this.scale > 4)) return;
          c.globalAlpha = alpha; c.strokeStyle = c.fillStyle = palette.causal; c.lineWidth = 1.5;
          c.beginPath(); c.arc(at.x, at.y, radius * this.scale, 0, 2 * Math.PI);
          c.stroke(); c.globalAlpha = alpha * 0.15; c.fill(); c.globalAlpha = 1;
        };
        const { fused } = drive, i = nearest(fused, t);
        if (i >= 0 && drive.layers[fused.role]) {
          const at = { x: this.px(fused.x[i]), y: this.py(fused.y[i]) };
          ring(at, fused.b[i], 0.45); ring(at, fused.a[i], 0.9);
          const k = nearest(drive.truth, t);           // the error itself, as a line
          if (k >= 0 && drive.layers.truth) {
            c.strokeStyle = palette.ink; c.lineWidth = 1.5;
            c.beginPath(); c.moveTo(at.x, at.y); c.lineTo(this.px(drive.truth.x[k]), this.py(drive.truth.y[k])); c.stroke();
          }
        }
        dot(drive.gnss, 5); dot(drive.truth, 5);
        for (const track of drive.tracks) if (track !== drive.gnss && track !== drive.truth && track !== fused) dot(track, 4);
        dot(fused, 6);
      }
    }

    """#
}
