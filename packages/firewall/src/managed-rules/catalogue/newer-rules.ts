// Rules that exist only in the new managed ruleset, not in the legacy managed rules.
import { LOOKUP_OF_NAME, SCRIPT_ADDRESS, SCRIPT_ATTRIBUTE } from './conclusive-patterns.ts'
import { expression, newRules, pattern } from './rule-draft.ts'
import { ATTRIBUTE, COMMAND, EVERYWHERE, INPUT_AND_HEADERS, MARKUP, TEXT, URI } from './views.ts'

export const NEWER_RULES = newRules([
  {
    ids: ['7097d16620e0f14e69518bc12eadae8c', '27c246a793a6f168bfe3c5904d509487'],
    description: 'Log4j - Look-up of a name in a logged text - CVE-2021-44228',
    tags: ['log4j', 'rce', 'cve-2021-44228'],
    mode: 'block',
    detection: pattern(EVERYWHERE, TEXT)`
      ${LOOKUP_OF_NAME}
      \$\{[^}]{0,60}\$\{[^}]{0,20}:[^}]{0,60}\}[^}\s]{0,60}(?:j|n|d|i|ldap|rmi|dns).{0,120}(?::|\})//
      \$\{(?:lower|upper|env|sys|date|main|::-|[a-z]{0,12}:[^}]{0,30}:-)[^}]{0,40}\}[^/\s]{0,80}(?:ldap|rmi|dns|iiop|corba|nis)s?(?::/|\})
    `,
  },
  {
    ids: ['d85adcbb0d750bfa5537f9badf6545fe', 'f0628b62b85f9367e55cf48a33aa5ef9'],
    description: 'Spring - Class loader reached through data binding - CVE-2022-22965',
    tags: ['spring', 'rce', 'cve-2022-22965'],
    mode: 'block',
    detection: pattern(['arg-names'], TEXT)`
      class(?:\.|\[['"]?)module(?:\.|['"]?\]\.?|\[)['"]?classloader
      ^class\.(?:classloader|protectiondomain)
    `,
  },
  {
    ids: ['63d63b65d184c230780b0d68477b401e', '490a2ef61d80511047134137ba5ebeef'],
    description: 'Shell - Well-known command with its usual arguments after a separator',
    tags: ['rce', 'command-injection'],
    mode: 'block',
    detection: pattern(INPUT_AND_HEADERS, COMMAND)`
      ^[^\n]{0,120}?(?:[;|&]|\$\(|^\S{0,60}\n)\s*(?:/(?:usr/)?s?bin/)?(?:cat|head|tail|more|less|nl|tac) +(?:/etc/|/proc/|/var/|\.\./|/root/|/home/)
      ^\S{0,120} ?(?:[;|&]|\$\(|\n)\s*(?:/(?:usr/)?bin/)?(?:wget|curl|fetch) +(?:-[a-z]+ +){0,4}(?:https?|ftp)://\S+
      ^[^\n]{0,120}?\S;(?:wget|curl|fetch) +(?:-[a-z]+ +){0,4}(?:https?|ftp)://\S+
      /dev/(?:tcp|udp)/[0-9a-z.-]+/\d+
    `,
  },
  {
    ids: ['310a947531cb1a196442852092afcbbf', '4a8af84c26a9da4f07153f442c2158eb'],
    description: 'XSS - Script scheme in an attribute value, disguised',
    tags: ['xss'],
    mode: 'block',
    detection: pattern(INPUT_AND_HEADERS, ATTRIBUTE)`
      ${SCRIPT_ATTRIBUTE}
      url\(["']?(?:javascript|vbscript):
      ${SCRIPT_ADDRESS}
      (?:href|src|data|action)=["'\x60]?data:text/(?:html|xml)
    `,
  },
  {
    ids: ['f3c201b7fd0d4e0fc92ebb4991396dd4', '4382d84097b6f23c23653fa91dc8698c'],
    description: 'XSS - Element that runs a script at once',
    tags: ['xss'],
    mode: 'block',
    detection: pattern(INPUT_AND_HEADERS, MARKUP)`
      <(?:svg|math|body|marquee|details|video|audio|image|object|input|select|keygen|style|link|xss|x)\b[^>]{0,200}[\s/"']on[a-z]{3,24} ?= ?[^{]
    `,
  },
  {
    ids: ['a57c5ae6d6a397cb151ef7055fd83fc8', '7d92c903d14eb461e11e263621dc3135'],
    description: 'URI - Line feed in three layers of encoding that would begin a header of the response',
    tags: ['http-response-splitting'],
    mode: 'block',
    detection: pattern(URI, TEXT)`%0[ad](?:set-cookie|location|content-(?:type|length)|transfer-encoding)`,
  },
  {
    ids: ['e67712641e557294e10f7782b9b553e9', 'b18f19298ee68d1552958caf6acc2c3d'],
    description: 'Request target that is longer than any page needs',
    tags: ['request-limit'],
    mode: 'simulate',
    detection: expression`len(raw.http.request.uri) gt 8192`,
  },
  {
    ids: ['7a6f279852a8f5194950a402553f121a', 'a72cd77e5299f828c4821c512a5f30e8'],
    description: 'Inspection - A part of the request is beyond the limits of the inspection',
    tags: ['inspection-limit'],
    // Uploads are often larger than what is inspected.
    mode: 'disable',
    detection: { kind: 'incomplete' },
  },
])
