import Pages

/// What makes the live page move: what is told, and the figures.
enum LivePageScript {
  /// The whole script, in one scope.
  static let source =
    "\n(() => {\n'use strict';\n\(PageScript.source)\(state)\(map)\(history)\(sky)\(figures)\(start)})();\n"

  /// What is known, and how it comes.
  private static let state = #"""
    const COLOURS = [...PAGE_COLOURS, 'causal', 'gnss', 'fixedLag', 'good', 'bad', 'faint'];
    const MEMORY = 600;
    const MODES = {
      aided: ['Fused with fixes', '', 'aided'], deadReckoning: ['Dead reckoning', 'without fixes', 'dead'],
      stationary: ['Standing', '', 'standing'], aligning: ['Position only', 'heading not known yet', 'aided'],
      carried: ['Carried', 'moved by something else', 'dead'],
    };
    const ACCESS = {
      reduced: 'The service lets this page know the place to some kilometres only.',
      serviceDisabled: 'Location services are off: nobody is told where the car is.',
      deniedForClient: 'The service does not let this page know where the car is (reckon authorize says for whom that is so).',
      notDetermined: 'Nobody has decided yet that this page may know where the car is: reckon authorize does.',
    };
    const UNKNOWN = {
      hardwareMissing: 'no sensor is configured', sourceUnreachable: 'the sensors do not deliver',
      notEnoughAccuracy: 'not known well enough', searching: 'searching',
      replayEnded: 'the drive that is replayed has ended',
    };
    const METRES = Math.PI / 180 * 6371008.8;

    class Live {
      constructor() { this.views = []; this.pending = false; this.forget(); }
      forget() {
        this.points = []; this.fixes = []; this.location = this.status = this.engine = null;
        this.origin = null; this.access = null;
      }
      // Metres east and north of the first place.
      project(latitude, longitude) {
        if (!this.origin) this.origin = { latitude, longitude, east: METRES * Math.cos(latitude * Math.PI / 180) };
        const turn = ((longitude - this.origin.longitude + 540) % 360) - 180;
        return { x: turn * this.origin.east, y: (latitude - this.origin.latitude) * METRES };
      }
      // The metres of the map, to and from degrees; null before the first place.
      get frame() {
        const { origin } = this;
        return origin && { key: origin, metres: (latitude, longitude) => this.project(latitude, longitude),
          degrees: (x, y) => ({ latitude: origin.latitude + y / METRES, longitude: origin.longitude + x / origin.east }) };
      }
      take(data) {
        if (data.isNew) this.forget();
        this.now = data.now; this.heard = performance.now();
        this.access = data.access;
        this.location = data.location || null; this.status = data.status || null;
        if ('engine' in data) this.engine = data.engine;
        for (const [t, latitude, longitude, radius, speed, mode] of data.points || [])
          this.points.push({ t, ...this.project(latitude, longitude), radius, speed, mode });
        for (const [t, latitude, longitude, radius] of data.fixes || []) this.fixes.push({ t, ...this.project(latitude, longitude), radius });
        const old = this.now - MEMORY;
        for (const list of [this.points, this.fixes]) {
          const kept = list.findIndex(item => item.t >= old);
          list.splice(0, kept < 0 ? list.length : kept);
        }
        if (this.location) Object.assign(this.location, this.project(this.location.latitudeDegrees, this.location.longitudeDegrees),
          { t: this.location.timestamp * 1e-9 });
        this.changed();
      }
      // Seconds since boot, as the service counts them.
      get time() { return this.now + (performance.now() - this.heard) / 1000; }
      get age() { return this.location ? Math.max(0, this.time - this.location.t) : Infinity; }
      // A place that was told some time ago; the reduced one is told a few times an hour.
      get isOld() { return this.age > 3 && this.access !== 'reduced'; }
      get mode() { return (this.location && this.location.mode) || (this.status && this.status.mode) || null; }
      changed() {
        if (this.pending) return;
        this.pending = true;
        requestAnimationFrame(() => { this.pending = false; for (const view of this.views) view.draw(); });
      }
    }

    const isDead = mode => mode === 'deadReckoning' || mode === 'carried';
    const metres = v => !Number.isFinite(v) ? '–' : v < 9.95 ? v.toFixed(1) + ' m' : v < 999.5 ? v.toFixed(0) + ' m' : (v / 1000).toFixed(1) + ' km';
    const ago = s => !Number.isFinite(s) ? '–' : s < 9.95 ? s.toFixed(1) + ' s' : s < 120 ? s.toFixed(0) + ' s' : Math.round(s / 60) + ' min';

    """#

  /// The link to the service, and the start of it all.
  private static let start = #"""
    const live = new Live(), figures = new Figures(live), trackMap = new CarMap($('map'), live, document);
    live.views = [figures, trackMap, new History($('history'), live), new Sky($('sky'), live)];
    readPalette();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readPalette(); live.changed(); });
    for (const button of document.querySelectorAll('[data-layer]')) button.addEventListener('click', () => {
      const isOn = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', isOn); trackMap.layers[button.dataset.layer] = isOn; live.changed();
    });
    $('follow').addEventListener('click', () => trackMap.follow());
    document.querySelector('.history-table').addEventListener('toggle', () => live.changed());

    let source = null, retry = 0;
    function listen() {
      clearTimeout(retry);
      source = new EventSource('events' + location.search);
      source.onmessage = event => { figures.link('Live', 'good'); live.take(JSON.parse(event.data)); };
      source.onerror = () => {
        if (source.readyState === EventSource.CLOSED) {
          // It answers, and not with events.
          figures.refused = true; figures.link('Refused', 'bad');
          retry = setTimeout(listen, 5000);
        } else figures.link('Connection lost, trying again', 'bad');
        live.changed();
      };
      source.onopen = () => { figures.refused = false; };
    }
    $('pause').addEventListener('click', () => {
      const isPaused = $('pause').getAttribute('aria-pressed') !== 'true';
      $('pause').setAttribute('aria-pressed', isPaused);
      if (isPaused) { clearTimeout(retry); source.close(); figures.link('Paused', ''); } else { figures.link('Connecting', ''); listen(); }
    });
    setInterval(() => live.changed(), 1000);   // ages grow also while nothing comes
    listen();

    """#
}
