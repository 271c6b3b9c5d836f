import Pages

/// What makes the page move: the data, the drives' shared state, tabs and read-out.
enum ReportScript {
  /// The whole script, in one scope.
  static let source =
    "\n(() => {\n'use strict';\n\(PageScript.source)\(shared)\(map)\(chart)\(readout)\(figures)\(start)})();\n"

  /// The data, and what map, chart and read-out share.
  private static let shared = #"""
    const ROLES = ['truth', 'gnss', 'receiver', 'track', 'full', 'fixedLag', 'causal'];   // in order of drawing, the last on top
    const COLOURS = [...PAGE_COLOURS, ...ROLES];
    const TITLES = { truth: 'Truth', gnss: 'GNSS fixes', causal: 'Fused', fixedLag: 'Fixed lag', full: 'Full smoother',
      receiver: 'Receiver’s own', track: 'Other system',
      circles: 'Accuracy 68 %', arrows: 'Course', streets: 'Streets' };

    // The columns of a track: differences of whole numbers in; seconds, metres, m/s and degrees out.
    function decodeTrack(raw) {
      const n = raw.t ? raw.t.length : 0;
      const column = (name, unit) => {
        const out = new Float64Array(n).fill(NaN);
        let sum = 0;
        if (raw[name]) raw[name].forEach((d, i) => { if (d !== null) { sum += d; out[i] = sum / unit; } });
        return out;
      };
      const track = { role: raw.role, n, t: column('t', 1000), x: column('x', 100), y: column('y', 100),
        a: column('a', 100), b: column('b', 100), c: column('c', 10), v: column('v', 100), e: column('e', 100) };
      const steps = Array.from({ length: Math.max(0, n - 1) }, (_, i) => track.t[i + 1] - track.t[i]).sort((p, q) => p - q);
      track.gap = Math.max(1.5, 3.5 * (steps[steps.length >> 1] || 0));   // a longer pause breaks the line
      return track;
    }

    // The first index of `track` at or after time `t`.
    function lowerBound(track, t) {
      let low = 0, high = track.n;
      while (low < high) { const mid = (low + high) >> 1; if (track.t[mid] < t) low = mid + 1; else high = mid; }
      return low;
    }

    // The point nearest in time to `t`, or -1 if none is within a gap of it.
    function nearest(track, t) {
      if (!track || !track.n || t === null) return -1;
      const after = Math.min(lowerBound(track, t), track.n - 1), before = Math.max(0, after - 1);
      const best = Math.abs(track.t[before] - t) <= Math.abs(track.t[after] - t) ? before : after;
      return Math.abs(track.t[best] - t) <= track.gap ? best : -1;
    }

    const clock = (t, digits = 0) => {
      const total = Number(Math.max(0, t).toFixed(digits)), minutes = Math.floor(total / 60);
      return minutes + ':' + (total - minutes * 60).toFixed(digits).padStart(digits ? 3 + digits : 2, '0');
    };
    const figure = (v, unit) => Number.isFinite(v) ? v.toFixed(Math.abs(v) < 9.995 ? 2 : Math.abs(v) < 99.95 ? 1 : 0) + unit : '–';
    // The frame of the tracks: east and north in metres on the plane that touches WGS 84 at a place.
    function tangentFrame([latitude0, longitude0]) {
      const a = 6378137, e2 = 0.00669437999014, radian = Math.PI / 180;
      const earth = (latitude, longitude) => {
        const p = latitude * radian, l = longitude * radian, n = a / Math.sqrt(1 - e2 * Math.sin(p) ** 2);
        return [n * Math.cos(p) * Math.cos(l), n * Math.cos(p) * Math.sin(l), n * (1 - e2) * Math.sin(p)];
      };
      const start = earth(latitude0, longitude0), [sp, cp, sl, cl] = [Math.sin(latitude0 * radian), Math.cos(latitude0 * radian),
        Math.sin(longitude0 * radian), Math.cos(longitude0 * radian)];
      const metres = (latitude, longitude) => {
        const [dx, dy, dz] = earth(latitude, longitude).map((v, i) => v - start[i]);
        return { x: cl * dy - sl * dx, y: cp * dz - sp * (cl * dx + sl * dy) };
      };
      const degrees = (x, y) => {
        let latitude = latitude0, longitude = longitude0;
        for (let i = 0; i < 4; i++) {
          const at = metres(latitude, longitude);
          latitude = clamp(latitude + (y - at.y) / a / radian, -89, 89);
          longitude += (x - at.x) / a / cp / radian;
        }
        return { latitude, longitude };
      };
      return { key: start, metres, degrees };
    }

    // The streets that the page carries for a drive, where it does.
    function streetsOf(panel, drive) {
      const element = panel.querySelector('script.streets');
      if (!element) return null;
      const { from, to, isPacked, origin, tiles } = JSON.parse(element.textContent);
      const load = async (z, x, y) => {
        const text = tiles[`${z}/${x}/${y}`];
        if (!text) return null;
        const bytes = Uint8Array.from(atob(text), digit => digit.charCodeAt(0));
        return isPacked ? drained(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))) : bytes;
      };
      const said = fault => { panel.querySelector('.credit').title = fault ?? ''; };
      return { frame: tangentFrame(origin), streets: new Streets({ from, to, load, said, changed: () => drive.changed() }) };
    }

    // What map, chart and read-out of one drive have in common. A change asks every view to draw itself anew.
    class Drive {
      constructor(panel) {
        const raw = JSON.parse(panel.querySelector('script.data').textContent);
        this.panel = panel;
        this.tracks = raw.tracks.map(decodeTrack).filter(track => track.n > 0)
          .sort((p, q) => ROLES.indexOf(p.role) - ROLES.indexOf(q.role));
        const get = role => this.tracks.find(track => track.role === role);
        this.gnss = get('gnss'); this.truth = get('truth');
        this.fused = get('causal') || get('fixedLag') || get('full');
        this.lead = this.fused || this.gnss || this.truth;
        this.from = this.start = Math.min(...this.tracks.map(track => track.t[0]));
        this.to = this.end = Math.max(this.start + 1, ...this.tracks.map(track => track.t[track.n - 1]));
        this.cursor = null;
        this.layers = {};
        for (const track of this.tracks) this.layers[track.role] = true;
        if (this.fused && this.fused.a.some(Number.isFinite)) this.layers.circles = true;
        if (this.fused && this.fused.c.some(Number.isFinite)) this.layers.arrows = true;
        this.ground = streetsOf(panel, this);
        if (this.ground) this.layers.streets = true;
        this.views = [];
        this.pending = false;
      }
      get zoomed() { return this.from > this.start || this.to < this.end; }
      changed() {
        if (this.pending) return;
        this.pending = true;
        requestAnimationFrame(() => { this.pending = false; this.views.forEach(view => view.draw()); });
      }
      setCursor(t) { this.cursor = t === null ? null : clamp(t, this.start, this.end); this.changed(); }
      setWindow(from, to) {
        const span = clamp(to - from, Math.min(2, this.end - this.start), this.end - this.start);
        this.from = clamp(from, this.start, this.end - span);
        this.to = this.from + span;
        this.changed();
      }
      zoomWindow(factor) {
        const inside = this.cursor !== null && this.cursor >= this.from && this.cursor <= this.to;
        const at = inside ? this.cursor : (this.from + this.to) / 2;
        this.setWindow(at - (at - this.from) * factor, at + (this.to - at) * factor);
      }
      // One point on, or ten, along the leading track.
      step(by) {
        const start = this.cursor === null ? (by > 0 ? this.from : this.to) : this.cursor;
        const at = clamp(Math.min(lowerBound(this.lead, start), this.lead.n - 1) + (this.cursor === null ? 0 : by), 0, this.lead.n - 1);
        this.setCursor(this.lead.t[at]);
      }
    }

    """#

  /// Tabs, the address of a state, and the start of it all.
  private static let start = #"""
    // The address says what is shown: #drive=town-7 (or its number) &t=61.5&from=60&to=90&off=circles.arrows
    function readAddress() { return new URLSearchParams(location.hash.slice(1)); }

    const drives = new Map();
    function open(id, address) {
      for (const panel of document.querySelectorAll('.panel')) panel.hidden = panel.id !== 'panel-' + id;
      for (const tab of document.querySelectorAll('[role=tab]')) {
        const on = tab.dataset.panel === id;
        tab.setAttribute('aria-selected', on); tab.tabIndex = on ? 0 : -1;
        if (on) tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      }
      const panel = document.getElementById('panel-' + id);
      if (!panel || !panel.querySelector('canvas.map')) return;
      if (!drives.has(id)) {
        const drive = new Drive(panel);
        if (!drive.tracks.length) { panel.querySelector('.view').hidden = true; return; }
        drives.set(id, drive);
        const map = new TrackMap(panel.querySelector('.map'), drive);
        drive.views = [map, new ErrorChart(panel.querySelector('.chart'), drive), new Readout(panel, drive), new TimeFigures(panel, drive)];
        if (address) {
          for (const name of (address.get('off') || '').split('.')) if (name in drive.layers) drive.layers[name] = false;
          const [from, to, t] = ['from', 'to', 't'].map(name => parseFloat(address.get(name)));
          if (to > from) drive.setWindow(from, to);
          if (Number.isFinite(t)) drive.setCursor(t);
          map.fit();
        }
      }
      drives.get(id).views.forEach(view => view.resize && view.resize());
      drives.get(id).changed();
    }

    document.body.classList.add('scripted');
    addFigureButtons();
    readPalette();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      readPalette(); drives.forEach(drive => drive.changed());
    });
    const tabs = [...document.querySelectorAll('[role=tab]')], panels = [...document.querySelectorAll('.panel[data-drive]')];
    const nameOf = id => document.getElementById('panel-' + id)?.dataset.name;
    document.body.classList.toggle('has-tabs', tabs.length > 0);
    const show = id => { history.replaceState(null, '', id === 'all' ? '#' : '#drive=' + encodeURIComponent(nameOf(id) || id)); open(id); scrollTo(0, 0); };
    tabs.forEach((tab, i) => {
      tab.addEventListener('click', () => show(tab.dataset.panel));
      tab.addEventListener('keydown', event => {
        const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1 }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        const next = tabs[(to + tabs.length) % tabs.length];
        next.focus(); show(next.dataset.panel);
      });
    });
    const route = () => {
      const address = readAddress(), id = address.get('drive');
      const found = panels.find(panel => panel.dataset.name === id) || panels.find(panel => panel.dataset.drive === id);
      if (document.querySelector('.panel[id]')) open(found ? found.dataset.drive : tabs.length ? 'all' : '0', address);
    };
    addEventListener('hashchange', () => { route(); scrollTo(0, 0); });
    route();

    """#
}
