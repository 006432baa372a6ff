// The one place where errors become exit codes and sentences.

import ArgumentParser
import AuditReports
import Authn
import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import IDX
import OIDC
import ReadModel
import Replay
import SimulatedOrg

/// The report on an error thrown by a command.
struct ErrorReport {
  /// The code to exit with.
  var exitCode: Int32
  /// The message for stderr, one sentence; nil for none.
  var message: String?
  /// The text for stdout: requested help.
  var help: String?

  private init(_ status: ExitStatus, _ message: String?) {
    exitCode = status.rawValue
    self.message = message.map(Self.sentence)
  }

  /// The report on an error, `command` being the one that parsed the arguments.
  init(_ error: any Error, of command: any ParsableCommand.Type) {
    switch error {
    case let failure as CommandFailure: self.init(failure.status, failure.message)
    case let error as StoreError: self.init(Self.status(of: error.code), error.description)
    case ReplayError.unreadable(let error): self.init(Self.status(of: error.code), error.description)
    case let error as ReadModelError: self.init(Self.status(of: error.code), error.description)
    case let error as ReplayError: self.init(.malformed, error.description)
    case MinimiseError.unreadable(.unreadable(let error)): self.init(Self.status(of: error.code), error.description)
    case MinimiseError.unreadable(let error): self.init(.malformed, error.description)
    case let error as MinimiseError: self.init(.finding, error.description)
    case let error as EditError: self.init(.malformed, error.description)
    case let error as StreamError: self.init(.malformed, error.description)
    case let error as AuditError: self.init(.inputOutput, error.description)
    case let error as OrgError: self.init(Self.status(of: error.code), error.description)
    case let error as Authn.OktaError: self.init(Self.status(of: error), error.description)
    case let error as OIDC.OktaError: self.init(Self.status(of: error), error.localizedDescription)
    case let error as InteractionCodeFlowError: self.init(Self.status(of: error), error.localizedDescription)
    case let error as DeviceAuthenticatorError: self.init(Self.status(of: error), DeviceRefusal.text(error))
    case is OutputClosed: self.init(.done, nil)
    case let code as ExitCode:
      self.init(.done, nil)
      exitCode = code.rawValue
    default: self.init(parsing: error, of: command)
    }
  }

  /// A word of the command line that the parser takes for `-h`, since it begins with a hyphen and has that letter:
  /// `-1h30x`. Nil if help was asked for.
  private static var helpWasMisread: String? {
    let words = CommandLine.arguments.dropFirst()
    let asked: Set<String> = ["-h", "--help", "help", "--version", "--help-hidden", "--experimental-dump-help"]
    guard !words.contains(where: { asked.contains($0) || $0.hasPrefix("--generate-completion-script") }) else {
      return nil
    }
    return words.first { word in
      guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
      return (second == "." || ("0"..."9").contains(second)) && word.contains("h")
    }?.printable
  }

  /// A number below 0 that is given to a command for proofs: the parser takes it for an option, and misses the
  /// position.
  private static var negativePosition: String? {
    let words = CommandLine.arguments.dropFirst()
    guard words.first == "prove" else { return nil }
    return words.first { $0.wholeMatch(of: /-[0-9]+/) != nil }
  }

  /// An error of the argument parser, or an unexpected one.
  private init(parsing error: any Error, of command: any ParsableCommand.Type) {
    switch command.exitCode(for: error) {
    case .success where Self.helpWasMisread != nil:
      self.init(.usage, "'\(Self.helpWasMisread ?? "")' is no value that can be given here (--help says more)")
    case .success:
      self.init(.done, nil)
      help = UsageText.wrapped(command.fullMessage(for: error))
    case .validationFailure where Self.negativePosition != nil:
      self.init(
        .usage, "'\(Self.negativePosition ?? "")' is no position and no size: both count from 0 (--help says more)")
    case .validationFailure:
      self.init(.usage, "\(UsageText.sentence(command.message(for: error))) (--help says more)")
    default: self.init(.inputOutput, String(describing: error))
    }
  }

  private static func status(of code: StoreError.Code) -> ExitStatus {
    switch code {
    case .notFound, .notAStore, .noSuchPosition, .pruned: .notFound
    case .locked: .locked
    case .permission, .keyMissing, .keyExposed, .keyMismatch: .permission
    case .cannotCreate: .cannotCreate
    case .io, .noSpace, .closed: .inputOutput
    case .malformed, .torn, .altered, .truncated, .forked, .missingSegment, .conflict, .tooLarge, .invalid,
      .unsupported:
      .malformed
    }
  }

  private static func status(of code: ReadModelError.Code) -> ExitStatus {
    switch code {
    case .cannotWrite: .cannotCreate
    case .noSpace, .io: .inputOutput
    case .damaged: .malformed
    case .busy: .locked
    }
  }

  private static func status(of code: OrgError.Code) -> ExitStatus {
    switch code {
    case .portInUse, .cannotListen: .cannotCreate
    case .portForbidden: .permission
    }
  }

  /// The exit code for a refused or failed operation of the authenticator.
  private static func status(of error: DeviceAuthenticatorError) -> ExitStatus {
    switch error {
    case .networkError: .inputOutput
    case .auditUnavailable, .storageError: .inputOutput
    case .serverAPIError, .accountNotFoundForChallenge, .duplicateChallenge, .unsupportedTransactionType,
      .noVerificationMethodsToEnroll, .pushNotRecognized, .securityError, .genericError:
      .finding
    case .internalError: .malformed
    }
  }

  /// The exit code for a refused or failed sign-in.
  private static func status(of error: Authn.OktaError) -> ExitStatus {
    switch error {
    case .serverRespondedWithError, .wrongStatus, .alreadyInProgress, .unknownStatus, .cancelled: .finding
    case .errorBuildingURLRequest, .invalidParameters: .usage
    case .connectionError, .internalError: .inputOutput
    case .emptyServerResponse, .invalidResponse, .responseSerializationError, .unexpectedResponse: .malformed
    }
  }

  /// The exit code for a refused or failed operation on tokens.
  private static func status(of error: OIDC.OktaError) -> ExitStatus {
    switch error {
    case .missingConfigurationValues, .noPListGiven, .pListParseFailure, .notConfigured, .noDiscoveryEndpoint: .usage
    case .parseFailure, .JWTDecodeError: .malformed
    case .internalError, .storage: .inputOutput
    case .APIError(let failure) where failure.httpStatus == nil && failure.oauthCode == nil: .inputOutput
    case .APIError, .errorFetchingFreshTokens, .JWTValidationError, .noBearerToken, .noIntrospectionEndpoint,
      .noRefreshToken, .noRevocationEndpoint, .noTokens, .noUserInfoEndpoint, .missingIdToken,
      .unexpectedAuthCodeResponse, .unableToGetAuthCode, .authorization, .redirectServerError, .noLocationHeader,
      .userCancelledAuthorizationFlow, .unableToOpenBrowser, .stateMismatch, .issuerMismatch, .alreadyInProgress,
      .timeout, .unsupportedTokenType:
      .finding
    }
  }

  /// The exit code for a refused or failed sign-in through the Identity Engine.
  private static func status(of error: InteractionCodeFlowError) -> ExitStatus {
    switch error {
    case .serverError, .apiError, .oauthError, .invalidContext, .invalidFlow, .unknownRemediationOption,
      .successResponseMissing, .missingRefreshToken, .missingRelatedObject, .platformUnsupported, .cannotCreateRequest,
      .rateLimited, .transactionExpired, .idTokenRefused:
      .finding
    case .invalidUrl, .invalidRequestData, .invalidParameter, .invalidParameterValue, .parameterImmutable,
      .missingRequiredParameter, .missingRemediationOption:
      .usage
    case .internalError, .internalMessage: .inputOutput
    case .invalidHTTPResponse, .invalidResponseData: .malformed
    }
  }

  /// One printable line with a full stop.
  private static func sentence(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ").printable
    return line.last.map { ".!?".contains($0) } == true ? line : line + "."
  }
}
