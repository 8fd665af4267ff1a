/** Names that a language or its platform provides without an import. */

const words = (text: string) => text.trim().split(/\s+/);

/** Browsers and the usual test runners have them; those of Node.js are added from the process itself. */
const SCRIPT = words(`
  window document self top parent frames opener name status event location history screen origin closed length print open close stop focus
  blur find alert confirm prompt innerWidth innerHeight scrollX scrollY scroll scrollTo devicePixelRatio external chrome browser
  requestAnimationFrame cancelAnimationFrame requestIdleCallback getComputedStyle getSelection matchMedia postMessage customElements caches
  indexedDB sessionStorage localStorage importScripts registerProcessor arguments require module exports __dirname __filename
  describe it test expect suite before after beforeAll afterAll beforeEach afterEach jest vi jasmine cy Cypress
  Animation AnimationEvent Attr Audio AudioContext AudioNode BarcodeDetector BeforeUnloadEvent CanvasGradient CanvasRenderingContext2D
  CharacterData ClipboardEvent ClipboardItem Comment CompositionEvent CSSRule CSSStyleDeclaration CSSStyleSheet CSS CustomElementRegistry
  DataTransfer DataTransferItem Document DocumentFragment DocumentType DOMException DOMMatrix DOMParser DOMPoint DOMRect DOMRectReadOnly
  DOMStringMap DOMTokenList DragEvent Element ErrorEvent EventListener EventListenerObject EventSource File FileList FileReader
  FileSystemDirectoryHandle FileSystemFileHandle FocusEvent FontFace FormDataEvent Gamepad Geolocation GeolocationPosition HashChangeEvent
  History HTMLCollection IDBCursor IDBDatabase IDBKeyRange IDBObjectStore IDBRequest IDBTransaction Image ImageBitmap ImageData InputEvent
  IntersectionObserver IntersectionObserverEntry KeyboardEvent Location MediaQueryList MediaQueryListEvent MediaRecorder MediaSource
  MediaStream MediaStreamTrack MouseEvent MutationObserver MutationRecord NamedNodeMap Node NodeFilter NodeIterator NodeList Notification
  OffscreenCanvas Option PageTransitionEvent Path2D PaymentRequest Plugin PointerEvent PopStateEvent ProgressEvent PromiseRejectionEvent
  PushManager PushSubscription Range Report ResizeObserver ResizeObserverEntry Screen Selection ServiceWorker ServiceWorkerRegistration
  ShadowRoot SharedWorker SourceBuffer SpeechRecognition SpeechSynthesis StorageEvent StyleSheet SubmitEvent SVGElement Text TextMetrics
  TextTrack TimeRanges Touch TouchEvent TouchList TransitionEvent TreeWalker UIEvent URLPattern ValidityState VideoFrame ViewTransition
  VisualViewport WheelEvent Window Worker Worklet XMLDocument XMLHttpRequest XMLSerializer XPathResult XSLTProcessor
  Partial Required Readonly Record Pick Omit Exclude Extract NonNullable Parameters ConstructorParameters ReturnType InstanceType
  ThisParameterType OmitThisParameter ThisType Uppercase Lowercase Capitalize Uncapitalize NoInfer Awaited ArrayLike PromiseLike Iterable
  AsyncIterable IterableIterator AsyncIterableIterator AsyncIterator AsyncGenerator Generator ReadonlyArray ReadonlyMap ReadonlySet
  PropertyKey PropertyDescriptor TypedPropertyDescriptor TemplateStringsArray ClassDecorator MethodDecorator PropertyDecorator
  ParameterDecorator Disposable AsyncDisposable RequestInit ResponseInit RequestInfo HeadersInit BodyInit BlobPart BufferSource
  NodeJS JSX Express Deno Bun Timer BufferEncoding WithImplicitCoercion HTMLElementTagNameMap EventListenerOrEventListenerObject
`);

const PYTHON = words(`
  abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict
  dir display divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance
  issubclass iter len license list locals map max memoryview min next object oct open ord pow print property quit range repr reversed round
  set setattr slice sorted staticmethod str sum super tuple type vars zip unicode basestring xrange long raw_input reduce cmp file reload
  unichr __name__ __file__ __doc__ __builtins__ __import__ __debug__ __loader__ __package__ __spec__ __path__ __class__ __all__ Ellipsis
  NotImplemented None True False self cls
  ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError BytesWarning
  ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError
  EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning
  GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt
  LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError OverflowError
  PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning
  StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError
  UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning WindowsError
  ZeroDivisionError
`);

/** The classes of `java.lang`. */
const JAVA = words(`
  Object String StringBuilder StringBuffer CharSequence Character Byte Short Integer Long Float Double Boolean Number Math StrictMath Void
  System Runtime Thread ThreadGroup ThreadLocal InheritableThreadLocal Runnable Process ProcessBuilder ProcessHandle Class ClassLoader
  ClassValue Module ModuleLayer Package Record Enum Iterable Comparable Cloneable AutoCloseable Appendable Readable StackTraceElement
  StackWalker Throwable Exception Error RuntimeException Override Deprecated SuppressWarnings SafeVarargs FunctionalInterface Compiler
  SecurityManager ScopedValue StringTemplate IO ArithmeticException ArrayIndexOutOfBoundsException ArrayStoreException ClassCastException
  ClassNotFoundException CloneNotSupportedException EnumConstantNotPresentException IllegalAccessException IllegalArgumentException
  IllegalCallerException IllegalMonitorStateException IllegalStateException IllegalThreadStateException IndexOutOfBoundsException
  InstantiationException InterruptedException LayerInstantiationException MatchException NegativeArraySizeException NoSuchFieldException
  NoSuchMethodException NullPointerException NumberFormatException ReflectiveOperationException SecurityException
  StringIndexOutOfBoundsException TypeNotPresentException UnsupportedOperationException AbstractMethodError AssertionError
  BootstrapMethodError ClassCircularityError ClassFormatError ExceptionInInitializerError IllegalAccessError
  IncompatibleClassChangeError InstantiationError InternalError LinkageError NoClassDefFoundError NoSuchFieldError NoSuchMethodError
  OutOfMemoryError StackOverflowError ThreadDeath UnknownError UnsatisfiedLinkError UnsupportedClassVersionError VerifyError
  VirtualMachineError
`);

const OF_SCRIPTS = new Set([...SCRIPT, ...Object.getOwnPropertyNames(globalThis)]);
const OF_PYTHON = new Set(PYTHON);
const OF_JAVA = new Set(JAVA);
/** Families of classes of browsers that are too many to list. */
const BROWSER_CLASS = /^(HTML|SVG|WebGL|GPU|RTC|MIDI|XR|USB)[A-Z]?\w*$/;

export function isProvided(language: string | null, name: string): boolean {
  if (language === 'python') return OF_PYTHON.has(name);
  if (language === 'java') return OF_JAVA.has(name);
  return language !== 'go' && (OF_SCRIPTS.has(name) || BROWSER_CLASS.test(name));
}
