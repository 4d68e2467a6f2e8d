// Patterns shared by several rules. Each is enough to refuse a request, so none of them may occur in prose.

/** The code after the `javascript:` scheme, if it does something: not empty and not `void(0)`. */
const NOT_VOID = String.raw`(?:[^v;"'\x60>\s]|v(?:[^o]|o[^i])|void(?:[^(]|\((?:[^0]|0[^)]))|void\(0\)[;,][^"'\x60>])`

/** In an attribute whose value is a URL. */
export const SCRIPT_ATTRIBUTE = String.raw`(?:href|src|action|formaction|data|xlink:href|background|srcdoc|poster|\bto|from|values)=["'\x60]?(?:javascript|vbscript|livescript):${NOT_VOID}`

/** A whole value that is a script: it immediately calls or assigns something. */
const CALLED = String.raw`(?:alert|confirm|prompt|eval|fetch|print|import|atob|settimeout|setinterval|document|window|location|self|top|parent|name|this|msgbox)`
export const SCRIPT_ADDRESS = String.raw`^["'\x60]?(?:javascript|vbscript|livescript):(?:${CALLED}(?:[(\x60=]|[^a-z0-9_].{0,200}[(\x60=])|(?:[^a-z]|[a-z0-9_$.\[\]"'+]{0,40}[.\[]|var|throw|function|void\([^0)]).{0,200}[(\x60=])`

/** A JNDI look-up for loggers, in one part or with another look-up inside. */
export const LOOKUP_OF_NAME = String.raw`\$\{ ?jndi ?:[^}\s]{0,60}(?::/{0,2}[^\s.}/]|\$\{)`
