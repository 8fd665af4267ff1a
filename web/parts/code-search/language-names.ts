/** The languages that `lang:` knows; a test compares them with the service's. */

export const LANGUAGE_NAMES =
  'bash c clojure cpp csharp css dart dockerfile elixir erlang go graphql groovy haskell html java javascript json julia kotlin lua make markdown objective-c ocaml perl php powershell proto python r restructuredtext ruby rust scala sql swift terraform toml typescript xml yaml zig'.split(
    ' ',
  );
