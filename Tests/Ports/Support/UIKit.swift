// As much of UIKit as the programs use, so that they can be written as for a phone.

/// A screen. What it presents is handed to the person in front of it.
@MainActor
class UIViewController {
  var title: String?
  private(set) var presented: [UIAlertController] = []
  private(set) var isViewLoaded = false
  /// The person in front of the screen.
  var person: ((UIAlertController) -> Void)?

  func viewDidLoad() { isViewLoaded = true }

  func present(_ alert: UIAlertController, animated: Bool, completion: (() -> Void)? = nil) {
    presented.append(alert)
    completion?()
    person?(alert)
  }

  func dismiss(animated: Bool, completion: (() -> Void)? = nil) { completion?() }
}

/// Screens, one over another.
@MainActor
final class UINavigationController: UIViewController {
  private(set) var viewControllers: [UIViewController] = []
  var topViewController: UIViewController? { viewControllers.last }

  func pushViewController(_ controller: UIViewController, animated: Bool) {
    viewControllers.append(controller)
    controller.viewDidLoad()
  }

  func setViewControllers(_ controllers: [UIViewController], animated: Bool) {
    viewControllers = controllers
    controllers.last?.viewDidLoad()
  }
}

/// A question to the person.
@MainActor
final class UIAlertController {
  enum Style { case alert, actionSheet }

  let title: String?
  let message: String?
  private(set) var actions: [UIAlertAction] = []
  private(set) var textFields: [UITextField]?

  init(title: String?, message: String?, preferredStyle: Style) {
    self.title = title
    self.message = message
  }

  func addAction(_ action: UIAlertAction) { actions.append(action) }

  func addTextField(configurationHandler: ((UITextField) -> Void)? = nil) {
    let field = UITextField()
    configurationHandler?(field)
    textFields = (textFields ?? []) + [field]
  }

  /// Types into the fields, and taps a button. A button that is not there is not tapped.
  func tap(_ title: String, typing texts: String...) {
    for (field, text) in zip(textFields ?? [], texts) { field.text = text }
    if let action = actions.first(where: { $0.title == title }) { action.handler?(action) }
  }
}

/// A button of a question.
@MainActor
final class UIAlertAction {
  enum Style { case `default`, cancel, destructive }

  let title: String?
  let handler: ((UIAlertAction) -> Void)?

  init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
    self.title = title
    self.handler = handler
  }
}

/// A line to type into.
@MainActor
final class UITextField {
  var text: String?
  var placeholder: String?
}

/// A text on a screen.
@MainActor
final class UILabel {
  /// What was shown, the latest last.
  private(set) var shown: [String] = []
  var text: String? {
    didSet { if let text { shown.append(text) } }
  }
}

/// A button on a screen.
@MainActor
final class UIButton {
  var isEnabled = true
}

/// Shows that something is under way.
@MainActor
final class UIActivityIndicatorView {
  private(set) var isAnimating = false

  func startAnimating() { isAnimating = true }
  func stopAnimating() { isAnimating = false }
}
