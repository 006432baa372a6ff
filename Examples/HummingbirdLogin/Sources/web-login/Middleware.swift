import Hummingbird

/// Makes browsers strict: no script and no style but ours, in no frame, kept in no cache.
struct SecurityHeaders<Context: RequestContext>: RouterMiddleware {
  private static var policy: String {
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
      + "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
  }

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    response.headers[.contentSecurityPolicy] = Self.policy
    response.headers[.cacheControl] = "no-store"
    response.headers[.xContentTypeOptions] = "nosniff"
    return response
  }
}

/// Shows errors as pages. What a visitor should not see of them goes to the log.
struct ErrorPages<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPError {
      return Pages.error(error.body ?? error.status.reasonPhrase).response(status: error.status)
    } catch let error as any HTTPResponseError {
      return Pages.error(error.status.reasonPhrase).response(status: error.status)
    } catch {
      context.logger.error("request failed", metadata: ["error": "\(type(of: error))"])
      return Pages.error("Something went wrong here.").response(status: .internalServerError)
    }
  }
}
