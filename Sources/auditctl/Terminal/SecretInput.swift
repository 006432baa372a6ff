// Secrets come from a terminal without echo, from standard input, from a file or from a descriptor; never from
// arguments, which every user of the machine can read.

import Glibc

/// Reads one secret.
enum SecretInput {
  /// Asks at the terminal, or reads the next line of standard input if that is not a terminal.
  ///
  /// - Parameters:
  ///   - prompt: what is asked for.
  ///   - isEchoed: whether the terminal shows what is typed: for what is no secret.
  ///   - refusal: what the org said to the answer before; an input that ends then ends the sign-in as refused.
  static func ask(_ prompt: String, isEchoed: Bool = false, after refusal: String? = nil) throws -> String {
    guard Terminal.canAsk else {
      let line = try LineInput().line()
      if line == nil, let refusal { throw CommandFailure(.finding, "the org refuses the sign-in: \(refusal)") }
      return try required(line, from: "standard input")
    }
    guard !isEchoed else {
      Messages.ask(prompt)
      return try required(LineInput().line(), from: "the terminal")
    }
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else {
      throw CommandFailure(
        .inputOutput, "the terminal cannot be kept from echoing; give the secret with --password-file")
    }
    Interruption.savedTerminal = settings
    defer {
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
      Interruption.savedTerminal = nil
      Messages.say("")
    }
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    Messages.ask(prompt)
    return try required(LineInput().line(), from: "the terminal")
  }

  /// The first line of a file.
  static func file(_ path: String) throws -> String {
    // Opening a FIFO does not wait for its writer; reading does, and a signal ends it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let status: ExitStatus = errno == ENOENT ? .notFound : .permission
      let reason = String(cString: strerror(errno))
      throw CommandFailure(status, "the file \(path) with the secret cannot be read: \(reason); check the path")
    }
    defer { close(descriptor) }
    return try required(LineInput(descriptor: descriptor, named: path).line(), from: path)
  }

  /// The first line that a descriptor gives, if whoever started this program opened it.
  static func descriptor(_ number: Int32) throws -> String {
    // What this program opens itself, a file of the store for instance, is closed in programs that it starts, so it has
    // this flag; what was handed to it never does. Of a closed descriptor all flags are set: it is -1.
    guard fcntl(number, F_GETFD) & FD_CLOEXEC == 0 else {
      throw CommandFailure(.notFound, "descriptor \(number) is not open; open it with: \(number)<FILE")
    }
    let name = "descriptor \(number)"
    return try required(LineInput(descriptor: number, named: name).line(), from: name)
  }

  private static func required(_ line: String?, from place: String) throws -> String {
    guard let line else {
      throw CommandFailure(.malformed, "\(place) has no line to take the secret from; give it as the first line")
    }
    return line
  }
}
