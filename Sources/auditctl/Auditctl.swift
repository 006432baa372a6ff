@main
struct Auditctl {
  static func main() {}
}
