// Cloudflare Specials: attacks on any site. Each rule decides alone, so each requires more than one sign.
import { CLOUDFLARE_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { SCRIPT_ADDRESS, SCRIPT_ATTRIBUTE } from './conclusive-patterns.ts'
import { check, every, pattern, traditionalGroup } from './rule-draft.ts'
import {
  AS_SENT,
  ATTRIBUTE,
  COMMAND,
  EVERYWHERE,
  FILE_PATH,
  INPUT,
  INPUT_AND_HEADERS,
  LOWER,
  MARKUP,
  PATH,
  SQL,
  TEXT,
  URI,
  URI_SQL,
} from './views.ts'

// An injected command follows a separator. Prose has separators too, so at most one word may precede it. Before
// commands that are also words, only a value with digits or punctuation, or nothing, may precede.
const WORD = String.raw`^[^\s;|&]{0,60} ?`
const VALUE = String.raw`^(?:[^\s;|&]{0,40}[^\sa-z;|&][^\s;|&]{0,40})? ?`
const NUMBERS = String.raw`^[\d.]{0,40}`
const SEPARATOR = String.raw`(?:;|\|\|?|&&|\n)`
const BIN = String.raw`(?:/(?:usr/)?s?bin/)?`
const SHORT_COMMAND = String.raw`(?:id|uname|hostname|ls(?: [/.~-][\w/.-]*)*|pwd|ps(?: -?[a-z]+)?|env|whoami)`
const END = String.raw` ?(?:$|[;|&\n#>])`

export const SPECIALS = traditionalGroup(CLOUDFLARE_GROUP_IDS.specials, [
  {
    ids: ['190001', 'b84dc2a55797ae869b3287cb21fea451', 'c00ea541dc8b7bc0af5a0491f212d964'],
    description: 'SQLi - UNION after a number, a quote or a bracket',
    tags: ['sqli'],
    mode: 'block',
    detection: pattern(INPUT, SQL)`
      ^(?:[-+]?\d[\w.]{0,24}|[\w.@%-]{0,24}['")\x60]+)[ ()]*\bunion(?: all| distinct)?[ (]+select\b
      ['")] ?\)*[ ]*union(?: all| distinct)?[ (]+select\b
      \bunion(?: all| distinct)?[ (]+select[ (]+(?:null|\d+|0x[0-9a-f]+|'[^']*'|@@\w+|[a-z_]{1,40} ?\([^()]{0,60}\))(?: ?, ?(?:(?:null|\d+|0x[0-9a-f]+|'[^']*'|@@\w+|[a-z_]{1,40} ?\([^()]{0,60}\))|[\w.]{1,40}))*[ )]*(?:--|#|;|from\b|where\b|limit\b|$)
    `,
  },
  {
    ids: ['190002', 'b3b48a719abfd641171d806d467c0667', '44f66c779820a9e1bbc4b55844fc9ff8'],
    description: 'SQLi - Quote, then a condition that is always true',
    tags: ['sqli'],
    mode: 'block',
    detection: pattern(INPUT, SQL)`
      ^[^'"]{0,48}['"][ )]*(?:\bor\b|\band\b|\bxor\b|\|\||&&)[ (!]*(?:(?:['"][a-z0-9_.-]{0,16}['"]|[a-z0-9_.-]{1,16}) ?(?:=|<=>|like|<>|!=|<|>) ?['"]?[a-z0-9_.-]{1,16}['"]?[ )]*(?:--|#|;|/\*|$|or\b|and\b|limit\b|order\b|union\b)|(?:true|not false|1|''|"")[ )]*(?:--|#|;|/\*|$)|exists ?\( ?select\b|[a-z_.]{1,32} (?:not )?(?:like|rlike|regexp) ['"]%?[^'"%]{1,24}%?['"][ )]*(?:--|#|;|/\*|$))
      ^[^' ]{0,48}(?: [^' ]{0,24})?'[ )]*(?:or|and|xor|\|\||&&)[ (]*'[^']{0,16}' ?(?:=|like|<>|<|>) ?'
      ^[\w.@-]{0,32}'[ )]*(?:--[ +-]*|#|/\*)$
    `,
  },
  {
    ids: ['190003', '045276c63889178f5a7529a16a2cf237', 'a9ce957502d774b8b664faef7571eef5'],
    description: 'SQLi - Number, then a condition of numbers or functions',
    tags: ['sqli'],
    mode: 'block',
    detection: pattern(INPUT, SQL)`
      ^[-+]?\d+[ )'"]*(?:\bor\b|\band\b|\bxor\b|\|\||&&)[ (!~-]*(?:\d+(?:=|<|>|<>|!=)\d+|\d{3,} (?:=|<|>|<>|!=|like|rlike) \d{3,}|(?:0 = 0|1 = 1|2 = 2|1 = 2|1 = 0)[ )]*(?:--|#|;|$)|(?:select|exists|ascii|ord|substr|substring|mid|length|char|if|elt|sleep|benchmark|extractvalue|updatexml|json_extract|json_keys|pg_sleep|row|database|version|user)\(|sleep ?\( ?\d|\(? ?select \S.{0,80}\bfrom\b|(?:ascii|substr|substring|extractvalue|updatexml|pg_sleep) \(|\d+ ?= ?(?:convert|cast) ?\()
      ^[-+]?\d+[ )'"]*(?:order|group) by \d+(?: ?, ?\d+)*[ ]*(?:--|#|$|having\b)
    `,
  },
  {
    ids: ['190004', 'fc2daa115ed8f9a54fa5f1c6194ac645', '699770ee6c5f6314863e04e1c4e83ece'],
    description: 'SQLi - Function that makes the server wait',
    tags: ['sqli'],
    mode: 'block',
    detection: pattern(INPUT_AND_HEADERS, SQL)`
      (?:['")\d;,(+|*/-]|\band|\bor|\bthen|=)[ (]*(?:select[ (]+)?(?:sleep|pg_sleep(?:_for)?|sqlite3_sleep) ?\( ?['"]?\d+(?:\.\d+)?['"]? ?\)(?:[^.{]|$)
      (?:['")\d;,(+|*/-]|\band|\bor|\bthen|=)[ (]*(?:select[ (]+)?benchmark ?\( ?\d{4,} ?, ?[a-z]
      (?:['")\d;])[ ;)]*waitfor +(?:delay|time) ?['"(]
      \bdbms_(?:lock\.sleep|pipe\.receive_message) ?\(
      \brandomblob ?\( ?\d{6,}
    `,
  },
  {
    ids: ['190005', '8a6249b4a042d3149a0bac83c97b27c9', '3f572a651e4d68ac24784b9074631f4a'],
    description: 'SQLi - A statement after the end of a value',
    tags: ['sqli'],
    mode: 'block',
    detection: pattern(INPUT, SQL)`
      ^[-+]?[\w.@-]{0,32}['"]?[ )]*; ?(?:drop|truncate) +(?:table|database|schema)\b
      ^[-+]?[\w.@-]{0,32}['"]?[ )]*; ?(?:insert +into +\S{1,64} ?(?:\(|values\b|select\b)|delete +from +\S{1,64} ?(?:--|#|;|where\b|$)|update +\S{1,64} +set +[\w.]{1,64} ?=|alter +table +\S{1,64} +(?:add|alter|drop|modify|rename)\b|create +(?:table +\S{1,64} ?\(|user\b|function\b)|exec(?:ute)? +(?:master|xp_|sp_|immediate)|declare +@|shutdown ?(?:--|;|with\b|$)|copy +\w+ +(?:from|to) +(?:program|'|\())
      ^(?:[-+]?[\w.@-]{0,32}\d|[\w.@-]{0,32}['"])?[ )]*; ?select +(?:(?:\*|[\w.@]+(?:\([^()]{0,40}\))?)(?: ?, ?(?:\*|[\w.@]+(?:\([^()]{0,40}\))?))* +from\b|[\w.@]{1,40}\(|@@)
      \bexec(?:ute)?[ (]+(?:master(?:\.dbo)?\.\.?)?xp_cmdshell\b
    `,
  },
  {
    ids: ['190006', '1b49953022751d3e2d96940aa9245ac5', '60e301d321677a3bb4d54f82385c3d1c'],
    description: 'SQLi - Errors that show values, files that are written, tables about tables',
    tags: ['sqli'],
    mode: 'block',
    detection: pattern(INPUT, SQL)`
      \b(?:extractvalue|updatexml) ?\( ?[\w'"]+ ?, ?(?:concat|0x|char|make_set|elt|\()
      ^.{0,40}['")\d][ )]*.{0,80}\binto +(?:outfile|dumpfile) ?['"0]
      ^(?:[-+]?\d[\w.]{0,24}|[\w.@-]{0,24}['")]+)[ ()]+.{0,160}\bfrom +(?:information_schema\.|mysql\.user|sysobjects|pg_catalog\.|sqlite_master|sqlite_schema|all_tables|sys\.)
      \band +\(? ?select +\d+ +from ?\( ?select +count ?\( ?\*
      \bgroup +by +concat ?\(.{0,80}\b(?:floor|rand) ?\(
      ['"\d)][ )]*(?:procedure +analyse ?\(|rlike ?\( ?select\b|(?:or|and) *\( ?select\b|(?:or|and) +select +(?:[\d@*'"]|[\w.,() ]{1,80} from\b)|=[ ]?\( ?select\b)
    `,
  },
  {
    ids: ['190007', '0dd4fb831872b25a1d895c904ec7cd2b', '4d8839521000c19caf18593a759434b9'],
    description: 'SQLi - Words of a query in the path or parted by comments',
    tags: ['sqli'],
    mode: 'block',
    detection: every(
      check(URI, URI_SQL)`
        \bunion(?: all| distinct)?[ (]+select\b
        ['")\d][ )]*(?:or|and)[ (]+['"]?\d+['"]? ?= ?['"]?\d+
        \bselect[ (].{1,80}[ )]from .{1,80}(?:--|#|information_schema|\bwhere\b)
      `,
      check(URI, TEXT)`
        /\*.{0,40}\*/
        /\*!\d{5}
        ^[^?]{0,400}(?:union|select| or | and |'or|'and)
      `,
    ),
  },
  {
    ids: ['100135A', '24318e5ed64421417164e073cfd0fac1', '0619d55433dbaf481639aee1080bbc85'],
    description: 'XSS - Handler of an event in an element or after a quote',
    tags: ['xss'],
    mode: 'block',
    detection: pattern(INPUT_AND_HEADERS, MARKUP)`
      <[a-z!/?][^<>]{0,300}[\s"'/\x60]on[a-z]{3,25} ?= ?["'\x60]?(?:[^\s"'>{]{0,20}(?:\(|\x60|=|alert|eval|location|javascript|&|\[)|\{ ?(?:alert|confirm|prompt|eval|fetch|location|document|window|import|throw))
      ^[^<>]{0,60}["'\x60][\s/>]*(?:[a-z]{1,20}(?: ?= ?[^\s<>]{0,40})?[\s/]){0,3}on(?:error|load|click|focus|focusin|mouseover|mouseenter|mousemove|blur|toggle|begin|animationstart|animationend|transitionend|pointerover|pointerenter|wheel|input|change|keyup|keydown|scroll|auxclick|copy|paste|cut|drag|hashchange|pageshow) ?= ?["'\x60]?[a-z(\[\x60]
    `,
  },
  {
    ids: ['100546', 'f653ff5342f474d44369f1891d870399', 'b000a3c4735ac8400989316c2b59ab5d'],
    description: 'XSS - HTML encoding of markup or of a script scheme',
    tags: ['xss'],
    mode: 'block',
    detection: pattern(INPUT, TEXT)`
      &#(?:x0*3c|0*60);? ?(?:script|svg|img|iframe|/?[a-z]+[\s/]+on)
      &#(?:x0*(?:6a|4a)|0*(?:106|74));?(?:a|&#).{0,100}(?:&colon;|&#(?:x0*3a|0*58);?|:)
      \bj(?:&(?:tab|newline|#x?0*[0-9a-f]{1,3});?)*a(?:&(?:tab|newline|#x?0*[0-9a-f]{1,3});?)*v(?:&(?:tab|newline|#x?0*[0-9a-f]{1,3});?)*a(?:&(?:tab|newline|#x?0*[0-9a-f]{1,3});?)+.{0,60}:
      javascript&(?:colon|#x?0*(?:3a|58));?
      (?:&#x?0*[0-9a-f]{2,3};?){10}
      \\u003c(?:script|img|svg|iframe)\b
    `,
  },
  {
    ids: ['190008', 'aaad20408c7298b2add19d0a619521e9', 'd7c1699a952c97ffd4255fb990ea5885'],
    description: 'XSS - Script element with a source or with code',
    tags: ['xss'],
    mode: 'block',
    detection: pattern(INPUT_AND_HEADERS, MARKUP)`
      <(?:[a-z]{1,8}:)?script(?:[\s/][^>]{0,200})?>[^<]{0,200}(?:[(\x60=]|//)
      <(?:[a-z]{1,8}:)?script[\s/]+[^>]{0,200}\bsrc ?= ?["'\x60]?[^\s\w./"'\x60-]
      <(?:[a-z]{1,8}:)?script[\s/]+[^>]{0,200}\bsrc ?= ?["'\x60]? ?(?:[a-z]{2,20}:|[/\\]{2})
      </(?:title|style|textarea|script|noscript)[^>]{0,20}>[^<]{0,20}<(?:script|svg|img|iframe|body)\b
      <script>[^<]{0,4}(?:</script>)?$
    `,
  },
  {
    ids: ['190009', '14572fa43fdf93fb4de3e92b343a1e9a', 'eb972cd7b00c1991465272b3219ed005'],
    description: 'XSS - Script scheme in an address',
    tags: ['xss'],
    mode: 'block',
    detection: pattern(INPUT_AND_HEADERS, ATTRIBUTE)`
      ${SCRIPT_ATTRIBUTE}
      ${SCRIPT_ADDRESS}
      \]\((?:javascript|vbscript|data:text/html)[:,;]
      (?:href|src|data|action)=["'\x60]?data:text/(?:html|xml)
    `,
  },
  {
    ids: ['190010', '55a043a2944d3c35d2052cb4bf6610a3', 'dac854b2055e4ee5c576f89e80296a1e'],
    description: 'XSS - Call after a quote, in pieces or with stolen values',
    tags: ['xss'],
    mode: 'block',
    detection: pattern(['args', 'arg-names', 'cookies', 'referer'], MARKUP)`
      ^[^<>"'\x60]{0,60}["'\x60][ )}\];]*[-+*/^;,&|][ ({]*(?:alert|confirm|prompt|eval|fetch|import|settimeout|document\.|window[.\[]|top[.\[]|self[.\[]|location\b ?=|\[\])[^ ]{0,4}
      \b(?:eval|settimeout|setinterval|function) ?\( ?(?:(?:atob|string\.fromcharcode|unescape|decodeuri(?:component)?) ?\((?: ?[\'"\x60]|[a-z0-9])|location(?:\.(?:hash|search)|\b ?\))|name ?\))
      \{\{.{0,80}(?:constructor|\$on|\$eval)\b.{0,40}\(.{0,120}\}\}
      \[\]\[(?:'|"|\x60|\(!\[\]).{0,200}(?:constructor|\+!\+\[\])
      (?:window|self|top|this|globalthis)\[(?:['"\x60][a-z]{1,4}['"\x60] ?\+|/[a-z]{1,6}/\.source)
    `,
  },
  {
    ids: ['190011', '4c8efd54bb1d89be4706bacf0e5f2073', '541670d2a4c313a942feecbd997d5158'],
    description: 'XSS - Frame, vector image or document with an active part',
    tags: ['xss'],
    mode: 'block',
    detection: pattern(INPUT_AND_HEADERS, MARKUP)`
      <(?:svg|math)\b[^>]{0,200}(?:>|/).{0,200}(?:<(?:script|animate|set|foreignobject|use|a)\b[^>]{0,200}(?:on[a-z]{3,20} ?=|href ?=|values ?=|to ?=))
      <(?:iframe|frame|embed|object|base|portal)\b[^>]{0,200}(?:srcdoc ?=|(?:src|data|href|code) ?= ?["'\x60]?(?:javascript|data|//[0-9]{1,3}\.[0-9]|https?://[0-9]{1,3}\.[0-9]|blob):?)
      <meta\b[^>]{0,200}http-equiv ?= ?["']?(?:refresh|set-cookie)\b[^>]{0,60}content ?= ?[^>]{0,200}
      <(?:link)\b[^>]{0,200}rel ?= ?["']?(?:import|stylesheet)["']?[^>]{0,120}href ?= ?["']?(?:javascript|data|//[0-9])
    `,
  },
  {
    ids: ['190012', 'ef79f089c0ee40d6fdbc93763bdc4ddc', '0fe8b483bc554cabbf764fa6b035f096'],
    description: 'File inclusion - Steps upwards to a file',
    tags: ['file-inclusion', 'path-traversal'],
    mode: 'block',
    detection: pattern([...INPUT_AND_HEADERS, 'path'], FILE_PATH)`
      ^\S{0,200}?(?:^|[/=:"'(,;]|\w)(?:\.\./){3}\S*$
      ^\S{0,200}?(?:^|[/=:"'(,;])(?:\.\./)+(?:[\w.-]+/){0,6}(?:etc/|proc/|windows/|winnt/|boot\.ini|win\.ini|var/|usr/|root/|wp-config|web\.config|web-inf/|\.env|\.git/|\.ssh/|passwd|shadow|config(?:uration)?\.(?:php|ya?ml|json|ini|inc))\S*$
      (?:\.{4,}/+){2}
      \.\.;/(?:\S|$)
    `,
  },
  {
    ids: ['190013', '65cac47ac8c3454fb6ff9f1f7a4d46cd', '62ba39e93e651ba01636fbb3f1e4dda7'],
    description: 'File inclusion - A file of the system by its full path',
    tags: ['file-inclusion'],
    mode: 'block',
    detection: pattern(['args', 'cookies', 'path', 'headers'], FILE_PATH)`
      ^(?:file:/{0,3})?/*(?:etc/(?:(?:passwd|shadow|group|hosts|sudoers|crontab)-?(?:(?:\.(?:png|jpe?g|gif|html?|php|txt|pdf))?$|[^\w ,.-])|(?:ssh/|mysql/|nginx/nginx\.conf|apache2/)\S*$)|(?:proc/(?:self|\d+)/(?:environ|cmdline|maps|status|fd|cwd|root)|root/\.(?:ssh|bash)|home/[^/]+/\.ssh/|var/log/(?:apache2?|nginx|httpd|auth\.log)|windows/(?:win\.ini|system32/)|boot\.ini)\S*$)
      ^(?:file:/{0,3})?[a-z]:/(?:windows/(?:win\.ini|system32|repair|system\.ini)|boot\.ini|inetpub/wwwroot/web\.config|winnt/)\S*$
    `,
  },
  {
    ids: ['190014', '021e756f5af2e82e8bf06397d04ff424', '4565e62fae1f47091ba3e8755deed532'],
    description: 'File inclusion - A stream of PHP, or a script of another site',
    tags: ['file-inclusion', 'rfi', 'php'],
    mode: 'block',
    detection: pattern(['args', 'cookies', 'headers'], FILE_PATH)`
      ^(?:php:/(?:(?:input|memory|temp|fd)(?:[^\w .,;-]|$)|filter/\S)|(?:expect|phar|zip|glob|ogg|rar|compress\.(?:zlib|bzip2)):/\S|data:/(?:text|application)/|data:text/plain[;,](?:base64,pd9|.{0,20}<\?))
      ^(?:https?|ftps?|smb):/[^/?\s]{3,100}/[^?\s]{0,200}\.(?:txt|php\d?|inc|dat)\?{1,3}(?:$|cmd=)
      ^(?:https?|ftps?|smb):/[^/?\s]{3,100}/[^?\s]{0,200}\.(?:gif|jpe?g|png)\?{1,3}(?:\?|cmd=)
      ^//?\d{1,3}(?:\.\d{1,3}){3}/[^?]{1,100}\.(?:txt|php|jsp|asp)\??$
      php:/filter/.{0,80}(?:resource=|convert\.)
    `,
  },
  {
    ids: ['100007C', 'a605fc31640583d362f72981851d2f71', '5ec55f91add3edb3bb87606c4afc9f4a'],
    description: 'Command injection - Common attack commands',
    tags: ['command-injection', 'rce'],
    mode: 'block',
    detection: pattern(INPUT, COMMAND)`
      ^[^\n]{0,100}?(?:[;|&]|\$\(|^\S{0,60}\n) ?${BIN}(?:cat|tac|head|tail|less|more|nl|rev|strings|xxd|od|base64) +(?:-[a-z0-9]+ +|\d+ +)*(?:[/.~$*?\w-]*(?:/etc/|/proc/|/passwd|/shadow|/\?{2,}|/var/(?:www|log)/|\.ssh|\.env\b|wp-config|/e[?*])|(?:passwd|shadow)$)
      ^${BIN}(?:cat|tac|head|tail|less|more|nl|rev|strings|xxd|od|base64) +(?:-[a-z0-9]+ +|\d+ +)*[/.~$*?\w-]*(?:/etc/|/proc/|/passwd|/shadow|/\?{2,}|\.ssh/|/e[?*])\S*(?: ?[;|&<>].*)?$
      ${VALUE}${SEPARATOR} ?${BIN}${SHORT_COMMAND}${END}
      ${NUMBERS} ?& ?${BIN}${SHORT_COMMAND}${END}
      ${WORD}(?:${SEPARATOR}|&) ?${BIN}(?:whoami|uname -[a-z]+|ifconfig|netstat(?: -[a-z]+)?|printenv|id -[a-z]+|ls -[a-z]+(?: \S+)?)${END}
      ${WORD}(?:${SEPARATOR}|&|\$\() ?${BIN}(?:wget|curl|fetch|lwp-download|tftp) +(?:-[-a-z]+ +(?:\S+ +)?){0,4}(?:(?:https?|ftp)://\S+|[\w-]+(?:\.[\w-]+)+(?:[:/]\S*)?)
      ${WORD}(?:${SEPARATOR}|&|\$\() ?${BIN}(?:rm +-[rf]{1,2} |chmod +(?:[0-7]{3,4}|[+]x) |chown +\w|kill +-9|useradd +|nohup +|crontab +-)
      ${VALUE}(?:${SEPARATOR}|&|\$\() ?(?:ping|sleep|timeout) +(?:-[cn] *)?\d{1,4}(?: +[\w.]+)? ?(?:$|[;|&)#])
      \b(?:bash|sh|zsh|ksh|dash|python[23]?|perl|php|ruby|node) +-[ceri]+ +.{0,80}(?:/dev/tcp/|\bsocket\b.{0,200}(?:connect|exec|dup2|subprocess)|fsockopen ?\(|(?:system|exec|spawn|popen) ?\( ?[/\w]|(?:curl|wget) \S*[/.]\w)
      ${WORD}(?:${SEPARATOR}|&|\$\() ?${BIN}(?:nc|ncat|netcat)(?:\.traditional|\.openbsd)? +(?:-[a-z]+ +(?:/\S+ +)?)*[\w.-]+ +\d{2,5}
      \b(?:nc|ncat|netcat)\b[^;|&\n]{0,60} -[a-z]{0,3}e +(?:/bin/\w|cmd|(?:ba)?sh\b)
    `,
  },
  {
    ids: ['100303', 'f432882d01ce5a13ea06b333b090ba9a', 'b566c59aa495ce9240dd2956e913204e'],
    description: 'Command injection - nslookup',
    tags: ['command-injection', 'rce'],
    mode: 'block',
    detection: pattern(INPUT_AND_HEADERS, COMMAND)`
      ${WORD}(?:${SEPARATOR}|&|[(]) ?(?:/usr/bin/)?(?:nslookup|dig) +(?:-[a-z=]+ +)*(?:\+short +)?[\w$({.-]+\.[a-z]{2,18}\b
      ${NUMBERS} ?(?:${SEPARATOR}|&|\$\() ?(?:/usr/bin/)?host +(?:-[a-z=]+ +)*[\w$({.-]+\.[a-z]{2,18}\b
      ^nslookup +-[a-z]+=\w+ +\S+
      \x60 ?(?:nslookup|dig) +\S+
    `,
  },
  {
    ids: ['190015', '64473811474232918bee1fe83032564b', '503dd82521c75c9290f4bf67fc69d3fe'],
    description: 'Command injection - Command in place of a value',
    tags: ['command-injection', 'rce'],
    mode: 'block',
    detection: pattern(INPUT_AND_HEADERS, TEXT)`
      ^\S{0,60}\$\( ?(?:/(?:usr/)?s?bin/)?(?:id|whoami|uname|cat|ls|curl|wget|nc|ping|nslookup|dig|sleep|bash|sh|python|perl|hostname|echo|printf|env|expr)\b[^)]{0,80}\)\S{0,60}$
      ^[^\s]{0,60}\x60 ?(?:/(?:usr/)?s?bin/)?(?:id|whoami|uname(?: -a)?|cat /[^\x60]{1,60}|ls(?: [-/][^\x60]{0,40})?|curl [^\x60]{1,80}|wget [^\x60]{1,80}|ping [^\x60]{1,40}|nslookup [^\x60]{1,60}|sleep \d+|hostname)\x60\S{0,60}$
    `,
  },
  {
    ids: ['190016', 'e8f1308b5466593f8c736490578bb915', 'b774b9782b1b345b1daad544b000b537'],
    description: 'Command injection - Windows',
    tags: ['command-injection', 'rce'],
    mode: 'block',
    detection: pattern(INPUT_AND_HEADERS, COMMAND)`
      ${WORD}(?:${SEPARATOR}|&) ?(?:c:[/\w.]{0,40})?(?:cmd(?:\.exe)? +/[ck] +\S|powershell(?:\.exe)? +(?:-(?:e|enc|encodedcommand|c|command|nop|noprofile|w|ep|exec)\b|iex|\(|invoke-)|certutil(?:\.exe)? +-(?:urlcache|decode|split)|bitsadmin +/transfer|mshta +https?:|regsvr32 +/s|rundll32 +\S+|wmic +\w+|net +(?:user|localgroup) +\S+|systeminfo\b|tasklist\b)
      ^(?:c:[/\w.]{0,40})?(?:cmd(?:\.exe)? +/[ck] +(?:dir|whoami|net|type|ping|ipconfig|powershell|curl|certutil|start|copy|del)\b|powershell(?:\.exe)? .{0,40}(?:-(?:e|enc|encodedcommand) +[a-z0-9+/=]{8}|iex ?\(|invoke-expression|downloadstring|://)|certutil(?:\.exe)? +-.{0,40}://|bitsadmin +/transfer .{0,80}://|mshta +https?:|regsvr32 +/s)
      ${VALUE}(?:${SEPARATOR}|&) ?(?:ipconfig(?: /all)?|dir(?: [a-z]:\S*)?|ver|whoami(?: /\w+)?|type +[a-z]:\S+) ?(?:$|[;|&])
      \b(?:new-object +(?:system\.)?net\.webclient ?\) ?\.|downloadstring ?\( ?\S{0,8}http|frombase64string ?\( ?[a-z0-9+/]{16})
    `,
  },
  {
    ids: ['100030', '77c134eaeb23e2a1b8e9220bf21045cd', '54563991376203314cc85cc1911aa845'],
    description: 'Command injection - Function definition in a header - CVE-2014-6271',
    tags: ['command-injection', 'rce', 'cve-2014-6271'],
    mode: 'block',
    detection: pattern([...INPUT_AND_HEADERS], TEXT)`^ ?\( ?\) ?\{ ?[^{}]{0,40}\} ?[;>] ?\S`,
  },
  {
    ids: ['100533', '860d7a62eb94508ef691b0642753531e', '95a0db806e5966d9885db36f8676b6eb'],
    description: 'NoSQL injection - Operator in place of a value',
    tags: ['nosql-injection'],
    mode: 'block',
    detection: every(
      check(['arg-names'], TEXT)`
        (?:^|\[)['"]?\$(?:ne|gt|gte|lt|lte|in|nin|exists|regex|where|nor|not|expr)['"]?\]?$
      `,
      check(['arg-names'], TEXT)`
        ^(?:user(?:name)?|login|email|pass(?:word|wd)?|token|pin|otp|auth|secret|reset_?token|api_?key|session)$
        ^(?:user(?:name)?|login|email|pass(?:word|wd)?|token|id|_id|name|pin|otp|auth|secret|reset_?token|code|api_?key|role|key|session)\[['"]?\$
        ^\$where$
      `,
    ),
  },
  {
    ids: ['190017', '32fc4f873f45ebd3fdff5e16f1056eb8', 'b6f387d827451a694374d417c4a3f481'],
    description: 'NoSQL injection - Code after a quote',
    tags: ['nosql-injection'],
    mode: 'block',
    detection: pattern(INPUT, TEXT)`
      ^[^ ]{0,60}['"][ );}]*(?:\|\||&&|;)[ (!]*(?:this\.[a-z_]{1,40}|sleep ?\(\d|db\.[a-z_]+\.|return +(?:true|this))
      ^.{0,60}['"] ?\|\| ?['"]?(?:1|a|true|x)['"]? ?={2,3} ?['"]?(?:1|a|true|x)
      ^function ?\( ?\) ?\{.{0,80}(?:this\.|sleep ?\()
    `,
  },
  {
    ids: ['100536', 'c10d44bcc9e4af2a4008f7651651d0c8', 'dff32bad35016252320ea53e9f655c16'],
    description: 'GraphQL injection - Query that goes on, or is made to be heavy',
    tags: ['graphql'],
    mode: 'block',
    detection: pattern(['args', 'body'], TEXT)`
      __schema ?\{ ?(?:querytype|types|directives|mutationtype)\b.{0,200}(?:fields|name|args|kind)
      ["'] ?\) ?\{ ?[a-z_]{1,40} ?\} ?[a-z_]{1,40} ?[({].{0,200}#
      (?:\w+ ?: ?\w+ ?\([^)]*\)[^:(]*){25}
    `,
  },
  {
    ids: ['190018', '73726e3ce7974d233dab3328dbf12472', '69e2d2bc690d92c06d964128a083b91e'],
    description: 'Template injection - Expression that reaches into the interpreter',
    tags: ['template-injection', 'rce'],
    mode: 'block',
    detection: pattern(INPUT_AND_HEADERS, TEXT)`
      (?:\{\{|\{%|\$\{|<%=?|#\{|\[\[).{0,160}(?:__(?:class|globals|builtins|mro|subclasses|import|init)__|\bconfig\.(?:items|from|__)|\brequest\.application|\b(?:lipsum|cycler|joiner|namespace)\.|_self\.env|\|attr\(|popen ?\(|\bsystem ?\(|registerundefinedfiltercallback|freemarker\.template|mainmodule|\.exec ?\(|getruntime|processbuilder)
      __class__[^ ]{0,40}__(?:mro|base|bases|subclasses)__
      ^[^{}$\s]{0,24}(?:\{\{|\$\{|#\{|<%=|\*\{|\[\[\$\{) ?['"]?\d{1,8}['"]? ?\* ?['"]?\d{1,8}['"]? ?(?:\}\}|\}|%>|\}\]\])[^{}\s]{0,24}$
      <#assign [a-z]+ ?= ?["']freemarker
      #set ?\( ?\$[a-z]+ ?=.{0,80}(?:class|forname|getruntime)
    `,
  },
  {
    ids: ['190019', '20f980e88e71cc7cd974bfd43004bfcd', 'f6cd81e7555f97e321421ee79933d05d'],
    description: 'Expression injection - Evaluation that reaches classes of Java',
    tags: ['java', 'expression-injection', 'rce'],
    mode: 'block',
    detection: pattern(EVERYWHERE, TEXT)`
      [$%#*@]\{.{0,200}(?:#_?memberaccess|@java\.lang|@org\.apache|#context\[|\.getruntime ?\(|processbuilder ?\(|t ?\( ?java\.lang|scriptenginemanager|\.classloader|#attr\[)
      \bt ?\( ?java\.lang\.(?:runtime|processbuilder|class|system)
      \(#_?(?:memberaccess|dm|container|ognlutil|context|cmd|iswin|process)\b.{0,20}[=.]
      \bjava\.lang\.(?:runtime\b.{0,40}getruntime ?\( ?\)|processbuilder ?\(|processbuilder\b.{0,60}\( ?new)
    `,
  },
  {
    ids: ['190020', '202472bed7ce8bb3c6437b3aeae63d12', '4628a2a42e67f9ef00b0b22d34de1957'],
    description: 'Deserialisation - Object of Java, PHP, Python, Ruby or .NET',
    tags: ['deserialization', 'rce'],
    mode: 'block',
    detection: pattern(['args', 'cookies', 'body', 'headers'], ['url-decode', 'remove-nulls'])`
      ^\xac\xed\x05
      (?:^|[=":])rO0AB[QXTVY][A-Za-z0-9+/=_-]{12}
      (?:^|[=":])AAEAAAD/////[A-Za-z0-9+/=]{4}
      (?:^|[;{:])[OC]:\+?\d{1,4}:"[A-Za-z_\\][A-Za-z0-9_\\]{1,100}":\d{1,4}:\{
      !!python/(?:object|name|module)[/:]
      !ruby/(?:object|hash|struct)[-\w]*:
      !!javax\.script\.|!!com\.sun\.rowset
      \$type"?\s*:\s*"System\.(?:Windows\.Data|Diagnostics|Configuration\.Install)
      \bc(?:os|posix|subprocess|builtins|__builtin__)\n(?:system|popen|eval|exec)\n
      _\$\$ND_FUNC\$\$_
      "@type"\s*:\s*"(?:com\.sun\.rowset|org\.apache|java\.lang|com\.mchange|javax\.)
    `,
  },
  {
    ids: ['190021', 'f6043fc3e15ba1be65e1b15262da973b', 'ae0bdbe1a842f7938f47614e4471b71c'],
    description: 'Prototype pollution - Prototype named in a key',
    tags: ['node', 'prototype-pollution'],
    mode: 'block',
    detection: pattern(['arg-names', 'cookie-names'], TEXT)`
      (?:^|[\[.])__proto__(?:$|[\].\[])
      (?:^|[\[.])constructor[\].]{1,2}\[?prototype(?:$|[\].])
    `,
  },
  {
    ids: ['190022', '9ac41e6f0cac1d5c08687acc687db2b5', 'c5b407a70f6c7ceb7a12a42f85a6dc02'],
    description: 'XXE - Entity that reads a file or an address',
    tags: ['xxe'],
    mode: 'block',
    detection: pattern(['args', 'body', 'files'], TEXT)`
      <!entity +(?:%|&#x25;|&#37;)? ?[\w.-]+ +(?:system|public +["'][^"']{0,100}["']) +["'](?:[a-z.]{2,12}:|[/.\w-]{1,80}[/.])
      <!doctype +[\w:.-]+ +(?:system|public +["'][^"']{0,100}["']) +["'](?:file|ftp|php|jar|netdoc|gopher|expect|https?://(?:\d|localhost))
      <xi:include\b[^>]{0,200}href ?= ?["']?(?:(?:file|https?|ftp):|/)
      (?:<!entity +[\w.-]+ +["'](?:&[\w.-]+;){4})
    `,
  },
  {
    ids: ['190023', 'f832d7fec6d42cba6d79683fffdb73a7', '8ea2e1bdf5e4c8882e5ce9d7446f91ce'],
    description: 'SSRF - Metadata of a cloud, or a scheme that only servers use',
    tags: ['ssrf'],
    mode: 'block',
    detection: pattern(['args', 'headers'], TEXT)`
      ^\S{0,200}?\bhttps?://(?:[^/@\s]{0,80}@)?(?:169\.254\.169\.254|metadata\.google\.internal|100\.100\.100\.200|0xa9fea9fe|2852039166|0251\.0376\.0251\.0376|\[?(?:::ffff:)?a9fe:a9fe|\[fd00:ec2::254\]|169\.254\.170\.2)\S*$
      ^(?:gopher|dict|netdoc|jar:https?|ldaps?|tftp|sftp|file)://\S
      ^url:(?:file|https?|gopher)://
    `,
  },
  {
    ids: ['190024', '1a7693c09b32b08d263a2251b6004066', 'fe9ac3c8e77bd863311615f5edbf7efd'],
    description: 'SSRF - Address of the machine itself or of a private network',
    tags: ['ssrf'],
    mode: 'simulate',
    detection: pattern(['args'], TEXT)`
      ^https?://(?:[^/@\s]{0,80}@)?(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|127\.1|0\.0\.0\.0|0x7f[0-9a-f.x]*|2130706433|017700000001|\[::1?\]|\[::ffff:7f|10\.\d{1,3}\.\d{1,3}\.\d{1,3}|192\.168\.\d{1,3}\.\d{1,3}|172\.(?:1[6-9]|2\d|3[01])\.\d{1,3}\.\d{1,3})(?:[:/?#]|$)
    `,
  },
  {
    ids: ['190025', '85931fb97a9740ca56fc2a5891b4a7db', 'ff04e54fb7b25f8d9f2634b176cf70e9'],
    description: 'LDAP injection - Filter that goes on',
    tags: ['ldap-injection'],
    mode: 'block',
    detection: pattern(INPUT, TEXT)`
      ^[^()]{0,40}(?:\*\)|\)\()[()|&!]{0,4}(?:uid|cn|sn|mail|objectclass|userpassword|samaccountname|memberof|password|ou|dc) ?[~<>]?=
      ^\*\)(?:\([|&!(]*[a-z]{1,24} ?[~<>]?=|%00|\))
    `,
  },
  {
    ids: ['190026', '7844a8c5ecafe6dd7d73a4dc4cd5a82b', 'd7b7bbf56129fda50b4f012bd0f04832'],
    description: 'SSI - Directive of the server in the input',
    tags: ['ssi-injection'],
    mode: 'block',
    detection: pattern(INPUT_AND_HEADERS, TEXT)`
      <!-- ?#(?:(?:exec|include|echo|config) +[a-z]+ ?=|printenv\b)
      <esi:(?:include|inline|debug)\b
    `,
  },
  {
    ids: ['190027', 'f2515eb6025de5d1ee497bf6adb01316', '63d076d2e2f7cafd22891b94fe722746'],
    description: 'Response splitting - Line feed, then a header or a status line',
    tags: ['http-response-splitting'],
    mode: 'block',
    detection: pattern(['uri', 'cookies'], ['url-decode', 'url-decode', 'lower-case'])`
      [\r\n][ \t]*(?:set-cookie|location|content-(?:type|length)|transfer-encoding|refresh|access-control-allow-origin|x-xss-protection)[ \t]*:
      [\r\n]+http/[012]\.\d \d{3}
    `,
  },
  {
    ids: ['100703', '16655f77f0483ad7c5a05cf4f4b0220e', 'c17b736cd18a97cebf5623553211fe46'],
    description: 'Validate headers - Code or markup in headers that hold plain words',
    tags: ['protocol-violation'],
    mode: 'block',
    detection: pattern(
      [
        'content-type',
        'header:accept',
        'header:accept-encoding',
        'header:accept-language',
        'header:content-disposition',
        'header:content-length',
        'header:connection',
        'header:range',
      ],
      LOWER,
    )`
      [$%#]\{
      <(?:script|svg|img|!--#)
      \(\) ?\{
      (?:\.\./){2}
      \b(?:select|union|sleep|benchmark|waitfor)\b ?[(/]
      '[ )]*(?:or|and)[ (]
      ^bytes ?= ?(?:\d*-\d* ?, ?){20}
    `,
  },
  {
    ids: ['190028', '2aeb35f39a8523146c59f663b4f9ce22', '2e5199a6c98b942be6ff828f0bc00c98'],
    description: 'Request smuggling - Two lengths, or a transfer that only one server understands',
    tags: ['request-smuggling', 'protocol-violation'],
    mode: 'block',
    detection: pattern(['header:transfer-encoding'], LOWER)`
      [^a-z, ]
      ^(?:x|cow|chunk$|identity, ?chunked|chunked, ?(?:identity|cow|x))
      ^ ?, ?
      chunked, ?chunked
    `,
  },
  {
    ids: ['190029', '59aa1b2ddd206cbea348b455e06f1a19', '5445a48faf5fdaecf481e49854c4398c'],
    description: 'Upload - Web shell, or code in an image',
    tags: ['web-shell', 'file-upload', 'rce'],
    mode: 'block',
    detection: pattern(['files', 'args', 'body'], TEXT)`
      <\?(?:php|=)?.{0,200}(?:eval|assert|system|exec|shell_exec|passthru|popen|proc_open|create_function|file_put_contents|include|\x60) ?\(? ?.{0,80}\$\{?_(?:get|post|request|cookie|server|files)
      <\?(?:php|=)?.{0,120}(?:eval|assert) ?\( ?(?:base64_decode|gzinflate|str_rot13|gzuncompress|strrev)
      <%.{0,200}(?:runtime\.getruntime ?\(|new +processbuilder|server\.createobject ?\( ?["']wscript|eval ?\( ?request|process\.start ?\()
      ^(?:gif8[79]a|\xff\xd8\xff|\x89png).{0,400}<\?(?:php\b|=)
      ^[^<]{0,20}push graphic-context.{0,200}(?:url\(|ephemeral:|msl:|label:@)
    `,
  },
  {
    ids: ['190030', '8eedf641c99b4d953d9b3a0700202c23', '3be60d065aa0cbd90aa85c32cbcbc897'],
    description: 'Upload - File that the server would run',
    tags: ['file-upload', 'rce'],
    mode: 'challenge',
    detection: pattern(['filenames'], FILE_PATH)`
      \.(?:php[0-9s]?|pht|phtml|phar|shtml|asp|aspx|ashx|asmx|asa|cer|jsp|jspx|jspf|cfm|cgi)(?:[. \x00;%:][^/]{0,20})?$
      (?:^|/)(?:\.htaccess|\.user\.ini|web\.config)$
    `,
  },
  {
    ids: ['190031', '078f17750c8c672c108ada20786171c7', '449a21f3fcab4b4392e3b1d4339757ac'],
    description: 'Information - Settings, keys and histories that are no part of a site',
    tags: ['information-disclosure'],
    mode: 'block',
    detection: pattern(PATH, FILE_PATH)`
      /\.(?:git/(?:config|head|index|logs|objects|refs)|svn/(?:entries|wc\.db)|hg/(?:store|hgrc)|env(?:\.(?:backup|bak|ci|dev|development|docker|live|local|old|php|prod|production|remote|save|stage|staging|swp|test|testing)){0,2}$|aws/credentials|ssh/|docker/config\.json|npmrc$|htpasswd|bash_history|netrc$|pgpass$|vscode/sftp\.json|ds_store$|kube/config)
      /(?:id_rsa|id_dsa|id_ed25519)(?:\.[a-z]{2,4})?$
      /(?:wp-config|configuration|config|settings|database|db|localsettings)\.(?:php|inc|ya?ml)(?:[.~_-](?:bak|old|save|swp|orig|txt|dist|\d)|~|\.)$
      /(?:dump|backup|database|db|site|www|htdocs|mysql|users|data)(?:[-_]?[\w]{0,16})?\.sql(?:\.(?:gz|bz2|zip|xz))?$
    `,
  },
  {
    ids: ['190032', '5a1516010696d10d8f0f89c9abf888a4', '38e8cfb2dc77e59dc5a0f1002ef2b851'],
    description: 'Scanner - Tool that looks for holes',
    tags: ['bad-robot'],
    mode: 'block',
    detection: pattern(['user-agent'], LOWER)`
      \b(?:sqlmap|nikto|havij|acunetix|netsparker|w3af|jorgee|zmeu|wpscan|nuclei|dirbuster|gobuster|feroxbuster|wfuzz|ffuf|commix|xsser|openvas|nessus|masscan)\b
    `,
  },
  {
    ids: ['190033', '4705d2bed90604adbde5fd489c096cfb', '100acbc106fe36703e3699f1b3754916'],
    description: 'Mail injection - Header of a message in a field of a form',
    tags: ['mail-injection'],
    mode: 'block',
    detection: pattern(['args'], ['url-decode', 'lower-case'])`
      ^[^\r\n]{0,200}[\r\n]+(?:bcc|cc|to|reply-to|content-type|mime-version)[ \t]*:[ \t]*(?:[\w.+-]+@[\w.-]+|multipart/|text/|1\.0)
    `,
  },
  {
    ids: ['190034', '0311bc38f59aeec1211015bc7f6f1b68', '47f85091bc2ebf6b0449ad4a0185abf6'],
    description: 'Open redirect - Address that browsers read otherwise than servers',
    tags: ['open-redirect'],
    mode: 'simulate',
    detection: pattern(
      [
        'arg:url',
        'arg:next',
        'arg:redirect',
        'arg:redirect_uri',
        'arg:return',
        'arg:returnurl',
        'arg:return_to',
        'arg:goto',
        'arg:continue',
        'arg:dest',
        'arg:back',
      ],
      ['url-decode', 'url-decode', 'lower-case'],
    )`
      ^(?:/{2,}|\\{1,2}|/\\|https?:/?[^/]|https?:\\)[\w.-]+\.[a-z]{2,}
      ^https?://[^/?#@]{1,80}@[\w.-]+
      [\t\r\n]
    `,
  },
  {
    ids: ['190091', 'a805ad95fe40bc3ec830e727b102a533', '9fd2dc5a3e24b8567b71231835c42f45'],
    description: 'Let pass - Proof of control for a certificate',
    tags: ['acme'],
    mode: 'off',
    detection: every(
      check(PATH, AS_SENT)`^/\.well-known/acme-challenge/[A-Za-z0-9_-]{20,200}$`,
      check(['method'], AS_SENT)`^(?:GET|HEAD)$`,
    ),
  },
  {
    ids: ['190092', '95f4c0384981027a6f7de271b79f6c51', 'd11db168c1e0135a045926ba550d3fa2'],
    description: 'Let pass - Well-known documents for robots, applications and reporters',
    tags: ['well-known'],
    mode: 'off',
    detection: every(
      check(URI, AS_SENT)`
        ^/(?:robots\.txt|favicon\.ico|\.well-known/(?:security\.txt|apple-app-site-association|assetlinks\.json|change-password))$
      `,
      check(['method'], AS_SENT)`^(?:GET|HEAD)$`,
    ),
  },
])
