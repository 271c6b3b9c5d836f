import Evaluation
import Foundation
import Testing

/// The report in a real browser.
@Suite(.serialized, .enabled(if: Browser.isThere, "there is no headless Chromium"))
struct ReportBrowserTests {
  private static let page: String = {
    var other = ReportFigureTests.report
    other.name = "Über & <b>so</b>"
    return HTMLReport.render([ReportFigureTests.report, other])
  }()

  private func numbers(_ answer: [String: Any], _ key: String) -> Double { answer[key] as? Double ?? .nan }

  @Test(arguments: [390, 768, 1280]) func nothingIsWiderThanTheWindow(width: Int) throws {
    let answer = try Browser.ask(
      Self.page,
      """
      const wide = [...document.querySelectorAll('.panel:not([hidden]) *')].filter(e => !e.closest('.scroll') && !e.closest('svg')
        && !e.closest('.unseen') && e.getBoundingClientRect().right > innerWidth + 0.5);
      return { inner: innerWidth, page: document.documentElement.scrollWidth, wide: wide.map(e => e.className).join() };
      """, at: "#drive=0", width: width)
    #expect(numbers(answer, "inner") == Double(width))
    #expect(numbers(answer, "page") <= Double(width), "\(answer)")
    #expect(answer["wide"] as? String == "", "\(answer)")
    #expect((answer["mishaps"] as? [String]) == [])
  }

  @Test(arguments: [
    ("", "panel-all"), ("#drive=1", "panel-1"), ("#drive=straight%20%26%20narrow", "panel-0"),
    ("#drive=%C3%9Cber%20%26%20%3Cb%3Eso%3C%2Fb%3E", "panel-1"), ("#drive=nowhere", "panel-all"),
  ]) func aDriveIsOpenedByItsName(fragment: String, panel: String) throws {
    let answer = try Browser.ask(
      Self.page,
      "return { open: [...document.querySelectorAll('.panel:not([hidden])')].map(e => e.id).join() };",
      at: fragment, width: 1280)
    #expect(answer["open"] as? String == panel)
    #expect((answer["mishaps"] as? [String]) == [])
  }

  @Test func linksOfTheOverviewLeadToTheirDrives() throws {
    let answer = try Browser.ask(
      Self.page,
      "return { links: [...document.querySelectorAll('#panel-all a')].map(a => a.getAttribute('href')) };",
      width: 1280)
    let links = try #require(answer["links"] as? [String])
    #expect(Set(links) == ["#drive=straight%20%26%20narrow", "#drive=%C3%9Cber%20%26%20%3Cb%3Eso%3C%2Fb%3E"])
  }

  /// The wheel is the page's; with Ctrl it is the map's.
  @Test func theWheelDoesNotTrapThePage() throws {
    let answer = try Browser.ask(
      Self.page,
      """
      const map = document.querySelector('#panel-0 .map');
      const turn = ctrlKey => { const e = new WheelEvent('wheel', { deltaY: 100, ctrlKey, bubbles: true, cancelable: true });
        map.dispatchEvent(e); return e.defaultPrevented; };
      return { alone: turn(false), ctrl: turn(true), touch: getComputedStyle(map).touchAction };
      """, at: "#drive=0", width: 1280)
    #expect(answer["alone"] as? Bool == false && answer["ctrl"] as? Bool == true)
    #expect(answer["touch"] as? String == "pan-x pan-y")
  }

  /// Whatever takes the focus says what it is, and the canvases are drawn.
  @Test func keyboardAndScreenReaderFindTheirWay() throws {
    let answer = try Browser.ask(
      Self.page,
      """
      const named = e => (e.getAttribute('aria-label') || e.textContent || e.title || '').trim() !== '';
      const panel = document.querySelector('#panel-0');
      const mute = [...panel.querySelectorAll('button, a, canvas, [tabindex], svg[role=img]')].filter(e => !named(e));
      const chart = panel.querySelector('.chart');
      chart.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true, cancelable: true }));
      const pixels = panel.querySelector('.map').getContext('2d').getImageData(0, 0, 400, 300).data;
      return { mute: mute.map(e => e.outerHTML.slice(0, 80)), figures: panel.querySelectorAll('svg[role=img]').length,
        tables: panel.querySelectorAll('.fig table').length, colours: new Set(pixels).size,
        large: (() => { const b = panel.querySelector('.figs:not(.still) .fig button'); b.click(); return b.getAttribute('aria-pressed'); })() };
      """, at: "#drive=0", width: 1280)
    #expect((answer["mute"] as? [String]) == [], "\(answer)")
    #expect(numbers(answer, "figures") > 10 && numbers(answer, "figures") == numbers(answer, "tables"))
    #expect(numbers(answer, "colours") > 5 && answer["large"] as? String == "true")
  }

  /// A stretch dragged across one figure is shown by all, with the values at the cursor; a
  /// double click shows all again.
  @Test func figuresOverTimeZoomTogetherAndSayTheirValues() throws {
    let answer = try Browser.ask(
      Self.page,
      """
      const figures = [...document.querySelectorAll('#panel-0 .figs:not(.still) .fig[data-from]')], figure = figures[0], svg = figure.querySelector('svg');
      const paths = () => figures.map(f => f.querySelector('.plot').innerHTML).join();
      const whole = paths(), box = svg.getBoundingClientRect();
      const at = (kind, share) => svg.dispatchEvent(new PointerEvent(kind, { pointerType: 'mouse', button: 0, bubbles: true,
        clientX: box.left + box.width * (46 + 304 * share) / 360, clientY: box.top + 50 }));
      at('pointerdown', 0.25); at('pointermove', 0.5); at('pointerup', 0.5);
      const zoomed = paths(), changed = figures.filter(f => f.querySelector('.plot').parentNode.getAttribute('overflow') === 'hidden').length;
      const marks = [...svg.querySelectorAll('.marks text')].map(e => e.textContent);
      at('pointermove', 0.5);
      const values = figures.map(f => f.querySelector('.values').textContent);
      const cursor = svg.querySelector('.cursor').getAttribute('d');
      svg.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
      const back = paths() === whole;
      return { figures: figures.length, changed, same: zoomed === whole, back, marks, values, cursor,
        from: Number(figure.dataset.from), to: Number(figure.dataset.to) };
      """, at: "#drive=0", width: 1280, drawsAtOnce: true)
    #expect((answer["mishaps"] as? [String]) == [] && answer["failed"] == nil, "\(answer)")
    #expect(numbers(answer, "figures") >= 8 && numbers(answer, "changed") == numbers(answer, "figures"))
    #expect(answer["same"] as? Bool == false && answer["back"] as? Bool == true)
    // The second quarter of the drive, its middle under the cursor.
    let (from, to) = (numbers(answer, "from"), numbers(answer, "to"))
    let marks = try #require(answer["marks"] as? [String]).map { mark in
      mark.split(separator: ":").reduce(0) { $0 * 60 + (Double($1) ?? .nan) }
    }
    #expect(
      marks.count >= 2
        && marks.allSatisfy { $0 >= from + (to - from) * 0.24 && $0 <= from + (to - from) * 0.51 })
    let values = try #require(answer["values"] as? [String])
    #expect(values.allSatisfy { $0.contains(":") } && values.count { $0.count > 8 } >= 5, "\(values)")
    #expect((answer["cursor"] as? String)?.hasPrefix("M198.0 ") == true, "\(answer["cursor"] ?? "")")
  }

  @Test func theComparisonFitsASmallScreen() throws {
    let file = try EvaluationRecord.of([])
    let page = ComparisonReport.render(PairedComparison(file, file), first: "a<b>.json", second: "b.json")
    let answer = try Browser.ask(
      page,
      "return { page: document.documentElement.scrollWidth, title: document.querySelector('h1').textContent };",
      width: 390)
    #expect(numbers(answer, "page") <= 390 && answer["title"] as? String == "A against B")
    #expect((answer["mishaps"] as? [String]) == [])
  }
}
