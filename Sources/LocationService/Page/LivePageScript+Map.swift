extension LivePageScript {
  /// The map: the track, the fixes, the car and its radius.
  static let map = #"""
    // The streets of the service's file, where it has one: a tile is asked of the service itself.
    function streetsOf(canvas, live) {
      if (!canvas.dataset.streets) return null;
      const { from, to } = JSON.parse(canvas.dataset.streets);
      const load = async (z, x, y) => {
        const answer = await fetch(`streets/${z}/${x}/${y}${location.search}`, { credentials: 'omit', redirect: 'error' });
        if (answer.status === 204) return null;
        if (!answer.ok) throw new Error((await answer.text()).trim());
        return drained(answer.body);
      };
      const said = fault => put('streets-fault', fault ? 'No streets: ' + fault : '');
      return new Streets({ from, to, load, said, changed: () => live.changed() });
    }

    class CarMap extends MetricMap {
      constructor(canvas, live, panel) {
        super(canvas, live, panel);
        this.live = live; this.layers = { streets: true, track: true, fixes: true, radius: true };
        this.streets = streetsOf(canvas, live);
        this.isFollowing = true; this.placed = null;
      }
      get actions() { return { f: () => this.follow(), F: () => this.follow() }; }
      set following(isOn) { this.isFollowing = isOn; $('follow').setAttribute('aria-pressed', isOn); }
      follow() { this.following = true; this.live.changed(); }
      pan(dx, dy) { this.following = false; super.pan(dx, dy); }
      // The whole track.
      fit() {
        const { points, location } = this.live, all = location ? [...points, location] : points;
        if (!all.length || !this.width) return;
        const xs = all.map(p => p.x), ys = all.map(p => p.y);
        const west = Math.min(...xs), east = Math.max(...xs), south = Math.min(...ys), north = Math.max(...ys);
        this.scale = clamp(Math.min((this.width - 110) / Math.max(east - west, 20), (this.height - 90) / Math.max(north - south, 20)), 1e-4, 20);
        this.x = (west + east) / 2; this.y = (south + north) / 2;
        this.following = false;
        this.live.changed();
      }
      draw() {
        if (!this.width) return;
        const { context: c, live } = this, { location } = live;
        if (location && this.placed !== live.origin) {
          // Another place: the car in the middle, with its radius well inside.
          this.placed = live.origin;
          this.scale = clamp(0.25 * this.height / Math.max(1, location.horizontalAccuracy), 1e-4, 1.2);
          this.following = true;
        }
        if (location && this.isFollowing) { this.x = location.x; this.y = location.y; }
        c.fillStyle = palette.map; c.fillRect(0, 0, this.width, this.height);
        this.drawGround(this.layers.streets, live.frame);
        if (this.layers.radius) this.drawBand(live.points);
        if (this.layers.track) this.drawTrack(live.points);
        if (this.layers.fixes) this.drawFixes(live.fixes);
        if (location) this.drawCar(location); else this.text('No place is known', this.width / 2, this.height / 2, { align: 'center', size: 14 });
        this.drawFrame();
      }
      // The union of all circles as one soft band.
      drawBand(points) {
        const { context: c } = this;
        let lastX = Infinity, lastY = Infinity;
        c.beginPath();
        for (const point of points) {
          const x = this.px(point.x), y = this.py(point.y), r = point.radius * this.scale;
          if (!(r > 1) || Math.hypot(x - lastX, y - lastY) < 3 || x + r < 0 || y + r < 0 || x - r > this.width || y - r > this.height) continue;
          lastX = x; lastY = y;
          c.moveTo(x + r, y); c.arc(x, y, r, 0, 2 * Math.PI);
        }
        c.fillStyle = palette.causal; c.globalAlpha = 0.11; c.fill(); c.globalAlpha = 1;
      }
      drawTrack(points) {
        const { context: c } = this;
        c.lineWidth = 2.5; c.lineJoin = c.lineCap = 'round';
        for (const dead of [false, true]) {
          c.strokeStyle = dead ? palette.fixedLag : palette.causal;
          c.setLineDash(dead ? [7, 5] : []);
          c.beginPath();
          for (let i = 1; i < points.length; i++) {
            if (isDead(points[i].mode) !== dead || points[i].t - points[i - 1].t > 3) continue;
            if (i === 1 || isDead(points[i - 1].mode) !== dead || points[i - 1].t - (points[i - 2] || points[i - 1]).t > 3)
              c.moveTo(this.px(points[i - 1].x), this.py(points[i - 1].y));
            c.lineTo(this.px(points[i].x), this.py(points[i].y));
          }
          c.stroke();
        }
        c.setLineDash([]);
      }
      drawFixes(fixes) {
        const { context: c } = this, r = clamp(1.6 + this.scale * 0.4, 1.8, 3.4);
        c.fillStyle = c.strokeStyle = palette.gnss; c.lineWidth = 1; c.globalAlpha = 0.8;
        c.beginPath();
        for (const fix of fixes) {
          const x = this.px(fix.x), y = this.py(fix.y);
          if (x < -5 || y < -5 || x > this.width + 5 || y > this.height + 5) continue;
          c.moveTo(x + r, y); c.arc(x, y, r, 0, 2 * Math.PI);
        }
        c.fill();
        const last = fixes[fixes.length - 1];          // the newest with the receiver's own radius
        if (last && last.radius && this.live.time - last.t < 5) {
          c.setLineDash([3, 3]); c.beginPath(); c.arc(this.px(last.x), this.py(last.y), last.radius * this.scale, 0, 2 * Math.PI); c.stroke();
          c.setLineDash([]);
        }
        c.globalAlpha = 1;
      }
      drawCar(car) {
        const { context: c } = this, x = this.px(car.x), y = this.py(car.y), { isOld } = this.live;
        const colour = isOld ? palette.muted : isDead(car.mode) ? palette.fixedLag : palette.causal;
        const radius = car.horizontalAccuracy * this.scale;
        if (this.layers.radius && radius > 2) {
          c.fillStyle = c.strokeStyle = colour; c.lineWidth = 1.5;
          c.beginPath(); c.arc(x, y, radius, 0, 2 * Math.PI);
          c.globalAlpha = 0.13; c.fill(); c.globalAlpha = 0.8; c.stroke(); c.globalAlpha = 1;
        }
        const direction = car.headingDegrees ?? car.courseDegrees;
        c.fillStyle = colour; c.strokeStyle = palette.card; c.lineWidth = 2; c.lineJoin = 'round';
        c.save(); c.translate(x, y);
        c.beginPath();
        if (direction === undefined) c.arc(0, 0, 7, 0, 2 * Math.PI);
        else { c.rotate(direction * Math.PI / 180); c.moveTo(0, -14); c.lineTo(9, 10); c.lineTo(0, 5); c.lineTo(-9, 10); c.closePath(); }
        c.stroke(); c.fill();
        c.restore();
      }
    }

    """#
}
