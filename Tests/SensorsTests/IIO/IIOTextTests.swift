import LinearAlgebra
import Sensors
import Testing

/// What the kernel writes into sysfs, and what becomes of it.
@Suite struct IIOTextTests {
  @Test func scalesThatCannotBeAreRefusedByName() throws {
    #expect(try iioScale("0.001065264", of: "s") == 0.001065264)
    #expect(try iioScale("0.000598550 rad/s", of: "s") == 0.00059855)
    for text in ["nan", "-inf", "inf", "", "abc", "1e999"] {
      let fault = #expect(throws: IIOFault.self) { try iioScale(text, of: "in_anglvel_x scale") }
      #expect(fault?.message.contains("in_anglvel_x scale") == true)
    }
    let zero = #expect(throws: IIOFault.self) { try iioScale("0.000000", of: "in_accel scale") }
    #expect(zero?.message.contains("zero") == true)
  }

  @Test func mountMatrixIsReadRowByRow() throws {
    let matrix = try iioMountMatrix("0, 1, 0; -1, 0, 0; 0, 0, 1", of: "m")
    #expect(matrix * Vector3(1, 2, 3) == Vector3(2, -1, 3))
    #expect(
      try iioMountMatrix("-1, 0, 0; 0, 1, 0; 0, 0, 1", of: "m").determinant == -1, "mirrored chips exist")
    #expect(try iioMountMatrix("0.7071,-0.7071,0;0.7071,0.7071,0;0,0,1\n", of: "m")[0, 1] == -0.7071)
  }

  @Test(arguments: [
    "", "1, 0, 0", "1, 0, 0; 0, 1, 0; 0, 0, 0", "2, 0, 0; 0, 1, 0; 0, 0, 1", "1, 0; 0, 1; 0, 0",
    "nan, 0, 0; 0, 1, 0; 0, 0, 1", "1, 1, 0; 0, 1, 0; 0, 0, 1",
  ])
  func mountMatrixThatIsNoRotationIsRefused(text: String) {
    #expect(throws: IIOFault.self) { try iioMountMatrix(text, of: "m") }
  }

  @Test func rateNearestToTheWantedOneIsChosen() {
    #expect(SamplingRate.nearest(to: 100, available: "12.5 26 52 104 208 416") == 104)
    #expect(SamplingRate.nearest(to: 100, available: "25.000000 50.000000\n100.000000 200.000000") == 100)
    #expect(SamplingRate.nearest(to: 100, available: "0 1600") == 1600, "0 is off")
    #expect(SamplingRate.nearest(to: 100, available: "[4 1 1000]") == 100)
    #expect(SamplingRate.nearest(to: 100, available: "[1 7 50]") == 50)
    #expect(SamplingRate.nearest(to: 100, available: "[0.5 0 1000]") == 100)
    #expect(SamplingRate.nearest(to: 100, available: "") == nil)
    #expect(SamplingRate.nearest(to: 100, available: "nan inf") == nil)
  }

  @Test func ratesAreWrittenAsTheKernelReadsThem() {
    #expect(SamplingRate.text(100) == "100")
    #expect(SamplingRate.text(12.5) == "12.500000")
    #expect(SamplingRate.text(0.0625) == "0.062500")
    #expect(SamplingRate.text(.infinity) == "1000000000")
  }

  @Test func addressesAreCheckedBeforeTheyAreUsed() {
    for text in ["local:", "ip:192.0.2.1", "ip:imu.example:30431", "usb:", "usb:1.2.3", "xml:imu.xml"] {
      #expect(IIOAddress(text)?.uri == text)
    }
    for text in ["", "local", "local:x", "ip:", "xml:", "serial:/dev/ttyS0", "http://x"] {
      #expect(IIOAddress(text) == nil)
    }
  }

  @Test func limitsFollowTheBitsThatTellSomething() {
    #expect(IIOSampleFormat(storageBits: 16, bits: 16).limits == -32768...32767)
    #expect(IIOSampleFormat(storageBits: 16, bits: 12).limits == -2048...2047)
    #expect(IIOSampleFormat(storageBits: 32, bits: 24, isSigned: false).limits == 0...16_777_215)
    #expect(IIOSampleFormat(storageBits: 64, bits: 64).limits == .min ... .max)
    #expect(!IIOSampleFormat(storageBits: 16, bits: 16, count: 4).isReadable)
    #expect(!IIOSampleFormat(storageBits: 0, bits: 0).isReadable)
  }
}
