import Hummingbird

/// What Hummingbird hands from the middleware to the routes.
struct SiteContext: RequestContext {
  var coreContext: CoreRequestContextStorage

  init(source: Source) { coreContext = .init(source: source) }

  /// Browsers send forms.
  var requestDecoder: URLEncodedFormDecoder { URLEncodedFormDecoder() }
  /// Forms are small.
  var maxUploadSize: Int { 64 * 1024 }
}
