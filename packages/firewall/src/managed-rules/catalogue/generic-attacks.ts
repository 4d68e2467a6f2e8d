// OWASP Generic Attacks: commands, code, templates and objects where data belongs.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { owaspGroup, pattern } from './rule-draft.ts'
import { AS_SENT, COMMAND, EVERYWHERE, FILE_PATH, INPUT, INPUT_AND_HEADERS, LOWER, TEXT } from './views.ts'

const UNIX_COMMANDS =
  'id|whoami|uname|hostname|ifconfig|netstat|ps|ls|dir|pwd|cat|tac|head|tail|more|less|nl|od|xxd|strings|wget|curl|fetch|lynx|nc|ncat|netcat|telnet|ssh|scp|ftp|tftp|ping|nslookup|dig|host|traceroute|bash|sh|zsh|ksh|dash|csh|perl|python[23]?|ruby|php|lua|node|gcc|chmod|chown|rm|mv|cp|ln|touch|mkdir|echo|printf|env|printenv|set|export|kill|sleep|crontab|useradd|passwd|sudo|su|tar|gzip|base64|awk|sed|grep|find|xargs|tee|sort|rev|socat|mkfifo|nohup|at|expr|dd|w|last|mount|df|service|systemctl'

export const GENERIC_ATTACKS = owaspGroup({ id: OWASP_GROUP_IDS.genericAttacks, tags: [] }, [
  {
    ids: ['1900701', '970f1b91de084e1ae2a026dde7843253', 'be2b5ffc0fcd3aadbe430fc9c57c85e0'],
    description: 'Command - A Unix command after a separator',
    weight: { level: 1, score: 5 },
    tags: ['command-injection', 'rce'],
    detection: pattern(INPUT_AND_HEADERS, COMMAND)`
      (?:;|\||&&|\n|\r)\s*(?:/(?:usr/)?(?:local/)?s?bin/)?(?:cat|tac|head|tail|nl|xxd|wget|curl|nc|ncat|netcat|telnet|ping|nslookup|bash|sh|zsh|perl|python[23]?|ruby|php|chmod|chown|rm|uname|ls|echo|ifconfig|base64|sleep|printenv|tftp|socat) +[-/.$~\w*?]{1,80}(?:$|[;|&>)/\s.])
      (?:;|\||&&|\n|\r)\s*(?:/(?:usr/)?s?bin/)?(?:id|whoami|uname|ls|pwd|hostname|ifconfig|netstat|env|printenv|w|ps) ?(?:$|[;|&#)>]|-[a-z])
    `,
  },
  {
    ids: ['1900702', 'a8d0ac92313f8060f40683cbcacabfd6', 'a4a839b19a489a81eda31abf79f035e5'],
    description: 'Command - A command in place of a value',
    weight: { level: 1, score: 5 },
    tags: ['command-injection', 'rce'],
    detection: pattern(INPUT_AND_HEADERS, TEXT)`
      \$\( ?(?:/(?:usr/)?s?bin/)?(?:${UNIX_COMMANDS})\b
      \x60 ?(?:/(?:usr/)?s?bin/)?(?:id|whoami|uname|ls|cat|wget|curl|nc|ping|nslookup|sleep|hostname|bash|sh)(?:[ \x60;|]|$)[^\x60]{0,80}\x60
      [<>]\( ?(?:cat|ls|curl|wget|bash|echo|id)\b
    `,
  },
  {
    ids: ['1900703', 'c37a6f3e4ced3042c4ba224e3fe6f671', 'ba26aad5cbb62de14bda8a6245c12a0f'],
    description: 'Command - Path of a program or of a file that attackers read',
    weight: { level: 1, score: 4 },
    tags: ['command-injection', 'rce'],
    detection: pattern(INPUT_AND_HEADERS, COMMAND)`
      /(?:usr/(?:local/)?)?s?bin/(?:[a-z?*]{2,12})\b
      /etc/(?:passwd|shadow|group|hosts|issue|sudoers|crontab|mysql|nginx|apache2|ssh|p?[a?*]{1,3}s{0,2}[w?*]{1,3}d)
      /dev/(?:tcp|udp)/
      /proc/(?:self|version|cpuinfo|\d+)/?
    `,
  },
  {
    ids: ['1900704', '1c14394d3febf40bc86931c2b01e9292', '4fb6e65526b3d7942585e2cf309b98b1'],
    description: 'Command - A connection back to the attacker',
    weight: { level: 1, score: 5 },
    tags: ['command-injection', 'rce'],
    detection: pattern(INPUT_AND_HEADERS, COMMAND)`
      \b(?:nc|ncat|netcat) +(?:-[a-z]+ +(?:/\S+ +)?)*[\w.-]+ +\d{2,5}
      \b(?:ba|z|k|da)?sh +-[ci]\b.{0,40}(?:>&|/dev/tcp|exec|\d>)
      \bmkfifo +/tmp/
      (?:socket\.socket|fsockopen ?\(|io::socket|tcpsocket|net\.socket ?\().{0,120}(?:connect|exec|dup2|\d{2,5})
    `,
  },
  {
    ids: ['1900705', 'a94ca85435666782f83b416bc9a46043', '5134eace62bb9dae2195fdecffb5b43e'],
    description: 'Command - A Windows command after a separator',
    weight: { level: 1, score: 5 },
    tags: ['command-injection', 'rce'],
    detection: pattern(INPUT_AND_HEADERS, COMMAND)`
      (?:[;|&\n]|^) ?(?:cmd(?:\.exe)? +/[ckr]|powershell(?:\.exe)? +-|certutil +-|bitsadmin +/|mshta +|regsvr32 +|rundll32 +|wmic +|net +(?:user|localgroup|view)\b|ipconfig\b|systeminfo\b|tasklist\b|dir +[a-z]:|type +[a-z]:|whoami +/)
      \b(?:invoke-expression|invoke-webrequest|downloadstring ?\(|-encodedcommand|frombase64string ?\(|iex ?\()
    `,
  },
  {
    ids: ['1900706', 'e4f09a5893a21d2af27386508e0b8b12', 'b274a4fe5884c763b7c84ec995c97730'],
    description: 'Command - Definition of a function in a variable - CVE-2014-6271',
    weight: { level: 1, score: 5 },
    tags: ['command-injection', 'rce', 'cve-2014-6271'],
    detection: pattern([...INPUT_AND_HEADERS], TEXT)`^ ?\( ?\) ?\{`,
  },
  {
    ids: ['1900707', '04349894aaacbdeb87ceefd0fde77347', 'c51e5022b56a5660d2d036f4cbaafef1'],
    description: 'PHP - Opening tag',
    weight: { level: 1, score: 5 },
    tags: ['php', 'rce'],
    detection: pattern(INPUT_AND_HEADERS, TEXT)`
      <\?(?:php\b|= ?[\x60$a-z(]| ?(?:system|eval|echo|passthru|@|\$))
      <script language ?= ?["']?php
    `,
  },
  {
    ids: ['1900708', '1065bbeb9846b4729981786b91bd3d92', 'd4eff32d6c31cbbc6133f85930fe0750'],
    description: 'PHP - Call of a function that runs code or commands',
    weight: { level: 1, score: 5 },
    tags: ['php', 'rce'],
    detection: pattern(INPUT_AND_HEADERS, TEXT)`
      \b(?:eval|assert|system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|create_function|call_user_func(?:_array)?|array_map|preg_replace|file_put_contents|file_get_contents|base64_decode|gzinflate|str_rot13|phpinfo|move_uploaded_file|unserialize|include|require|array_filter|usort|readfile|show_source|highlight_file|ini_set|var_dump|die|print_r|md5) ?\( ?(?:['"$@(]|\)|base64_decode|\d)[^;]{0,200}\)? ?;
      \$_(?:get|post|request|cookie|server|files|session|env) ?[\[{]
      \b(?:eval|assert|system|shell_exec|passthru|exec) ?\( ?(?:base64_decode|gzinflate|str_rot13|chr|\$\{?_|\$[a-z_]+ ?[\[(])
    `,
  },
  {
    ids: ['1900709', 'c734a63db68093e3a20601d4673a4309', 'f6e4d9dfabd30eba1f3655e05acdc651'],
    description: 'PHP - Stream that reads, packs or runs',
    weight: { level: 1, score: 5 },
    tags: ['php', 'file-inclusion'],
    detection: pattern(INPUT_AND_HEADERS, TEXT)`
      \bphp://(?:filter|input|memory|temp|output|fd|stdin)\b
      \b(?:phar|zip|expect|glob|ogg|rar|ssh2(?:\.\w+)?|compress\.(?:zlib|bzip2))://
      \bdata:(?://)?text/plain[;,]
      \bconvert\.(?:base64-|iconv\.|quoted-printable)
    `,
  },
  {
    ids: ['1900710', '76f9025b9089fb4faa037af55e61df58', 'ad5bdfb652e8154a7a1913bc2a9eef8b'],
    description: 'PHP - Serialised object',
    weight: { level: 1, score: 5 },
    tags: ['php', 'deserialization'],
    detection: pattern(INPUT, TEXT)`(?:^|[;{:"'= ])[oc]:\+?\d{1,5}: ?"[a-z_\\][^"]{0,120}" ?:\d{1,5}:[{]?`,
  },
  {
    ids: ['1900711', '40e6d2dfeb43c953f90779af8abf77f0', '0db2b6c212bc75bcf8f5af557f8ed7e3'],
    description: 'Java - Class that runs commands or loads classes',
    weight: { level: 1, score: 5 },
    tags: ['java', 'rce'],
    detection: pattern(EVERYWHERE, TEXT)`
      \bjava\.(?:lang\.(?:runtime|processbuilder|class|system|thread|reflect|classloader|scriptengine)|io\.(?:file|bufferedreader|inputstream)|net\.(?:url|socket)|util\.scanner|nio\.file)
      \bjavax\.(?:script\.|naming\.|management\.|el\.)
      \b(?:getruntime ?\( ?\) ?\. ?exec|runtime\.getruntime|processbuilder ?\(|forname ?\( ?['"]java|getclass ?\( ?\) ?\. ?(?:forname|getclassloader|getmethod))
      \b(?:com\.sun\.(?:rowset|org\.apache)|org\.apache\.(?:commons\.collections|xalan|tomcat\.dbcp)|sun\.misc\.|org\.springframework\.(?:context\.support|expression))
    `,
  },
  {
    ids: ['1900712', '7dcd26a56106c9a8dd78f229b1116dd3', '3b352d958d3bc239165caac89d4ec599'],
    description: 'Java - Serialised object',
    weight: { level: 1, score: 5 },
    tags: ['java', 'deserialization'],
    detection: pattern(['args', 'cookies', 'body', 'headers', 'files'], AS_SENT)`
      ^\xac\xed\x00\x05
      (?:^|[=":, ])rO0AB[QXTVY]?[A-Za-z0-9+/=]{8}
      ^H4sIAAAAAAAA[A-Za-z0-9+/]{8}
      (?i)%ac%ed%00%05
    `,
  },
  {
    ids: ['1900713', 'ea6b220b879c8538add07717d0a552e3', '84e37c5bf725637bc62cd44b34500966'],
    description: 'OGNL and expression languages - Evaluation that reaches members or classes',
    weight: { level: 1, score: 5 },
    tags: ['java', 'expression-injection', 'rce'],
    detection: pattern(EVERYWHERE, TEXT)`
      [$%#*@]\{.{0,200}(?:#_?memberaccess|#context|#application|#session|@java\.|@ognl|\bnew java|#cmd|\.getclass|t\( ?java|#root|getruntime|processbuilder|\.exec ?\()
      \(#[a-z_]{1,24} ?= ?[^)]{1,120}\)
      \bt ?\( ?java\.lang
      [$%#]\{ ?[(\d'"][^}]{0,60}[*+/-][^}]{0,60}\}
    `,
  },
  {
    ids: ['1900714', 'c4cd5d5b424b4ec5054ae47d9491a667', '5f45975a6b1ce969fa2e08c0350172e8'],
    description: 'Template - Expression that reaches into the interpreter',
    weight: { level: 1, score: 5 },
    tags: ['template-injection', 'rce'],
    detection: pattern(INPUT_AND_HEADERS, TEXT)`
      (?:\{\{|\{%|\$\{|<%|#\{|\[\[).{0,120}(?:__(?:class|globals|builtins|mro|subclasses|import|init|base)__|\bself\.|\bconfig\b ?[.\]|}]|\brequest\.(?:application|environ)|\blipsum\b|\bcycler\b|\bjoiner\b|_self\.env|\|attr\(|\bpopen ?\(|\bsystem ?\(|\.constructor|registerundefinedfiltercallback|freemarker\.template|process\.mainmodule|global\.process)
      __(?:class|subclasses|globals|builtins|mro|import)__
    `,
  },
  {
    ids: ['1900715', 'dd3e41aa0a9c508cd9600c82e048d3ac', '802fc4a2f7032ad8df3d0e0099cb968d'],
    description: 'Template - Sum that shows whether templates are evaluated',
    weight: { level: 1, score: 4 },
    tags: ['template-injection'],
    detection: pattern(INPUT_AND_HEADERS, TEXT)`
      (?:\{\{|\$\{|#\{|<%=|@\(|\*\{|\{\{=|\[\[\$\{) ?['"]?\d{1,8}['"]? ?[*+-] ?['"]?\d{1,8}['"]? ?(?:\}\}|\}|%>|\)|\]\])
    `,
  },
  {
    ids: ['1900716', '370c764d0273e306ea1a544dabdd9923', '449f5857a2db306fb72c8d86cfa4b477'],
    description: 'Node - Code that reaches modules or the process',
    weight: { level: 1, score: 5 },
    tags: ['node', 'rce'],
    detection: pattern(INPUT_AND_HEADERS, TEXT)`
      \brequire ?\( ?['"\x60](?:child_process|fs|net|http|os|vm|process|worker_threads)
      \bchild_process\b.{0,40}\b(?:exec|spawn|fork)
      \bprocess\.(?:mainmodule|binding|env|exit|kill|cwd|argv)\b ?[.(\[]?
      _\$\$nd_func\$\$_
      \bthis\.constructor\.constructor\b
      \bnew function ?\( ?['"\x60]
    `,
  },
  {
    ids: ['1900717', '7014597266218e168fe2f5671363010d', 'f67473bdfe557e01e1b93db032086572'],
    description: 'Node - Prototype named in a key or a path',
    weight: { level: 1, score: 5 },
    tags: ['node', 'prototype-pollution'],
    detection: pattern(['arg-names', 'cookie-names'], TEXT)`
      __proto__
      (?:^|[\[.])constructor[\].]{1,2}\[?prototype
    `,
  },
  {
    ids: ['1900718', 'd8260248b1e9c535c2663c0d5f760a6a', 'ed4e3727f405dd4209ccd338edd97415'],
    description: 'NoSQL - Operator in the place of a value',
    weight: { level: 1, score: 5 },
    tags: ['nosql-injection'],
    detection: pattern(['arg-names'], TEXT)`
      (?:^|[\[.])\$(?:ne|gt|gte|lt|lte|in|nin|exists|regex|where|or|and|nor|not|eq|elemmatch|expr|jsonschema|function|accumulator)\]?$
    `,
  },
  {
    ids: ['1900719', 'a9343ffaab07d0d1b39b8ffdc3810008', 'b6fca1b197088c230a39fa1725a775cf'],
    description: 'NoSQL - Code that a document database runs',
    weight: { level: 1, score: 5 },
    tags: ['nosql-injection'],
    detection: pattern(INPUT, TEXT)`
      ['"\d][ );}]*(?:\|\||&&|;|return)[ (]*(?:this\.[a-z_]|sleep ?\(|db\.[a-z]+\.(?:find|drop|insert|update|remove)|while ?\()
      \bdb\.(?:getcollectionnames|injection|[a-z_]{1,30}\.(?:find|insert|drop|remove|update|mapreduce)) ?\(
      \$where['"]? ?[:=] ?['"]?(?:function|this|sleep|return)
      ['"] ?\|\| ?['"]?1['"]? ?==? ?['"]?1
    `,
  },
  {
    ids: ['1900720', '295206eb237ddadf7273c7ca679e3f41', 'e59d2fea69d5a1042cf3b5097dd0a3ca'],
    description: 'LDAP - Filter that goes on',
    weight: { level: 1, score: 5 },
    tags: ['ldap-injection'],
    detection: pattern(INPUT, TEXT)`
      \*?\)+\([|&!]?\(? ?[a-z][a-z0-9-]{1,30} ?(?:=|~=|>=|<=)
      ^\*\)\(
      \)\(\|? ?\(?(?:uid|cn|objectclass|userpassword|mail)=
    `,
  },
  {
    ids: ['1900721', '1525e3684a4f2ae84cc45a6eb9297c92', '766b3bdc81807452b4285cf832151217'],
    description: 'XPath - Condition over nodes',
    weight: { level: 1, score: 4 },
    tags: ['xpath-injection'],
    detection: pattern(INPUT, TEXT)`
      ['"] ?(?:or|and|\]) ?.{0,40}(?:count ?\( ?/|string-length ?\(|substring ?\(.{0,40}//|name ?\( ?/|text ?\( ?\)|position ?\( ?\)|/\*|//[a-z*]+\[)
      \bcount ?\( ?/(?:child::|\*|[a-z])
      /child::(?:node\(|\*|text)
    `,
  },
  {
    ids: ['1900722', '85e7d563ef58937d01461a8238c2a199', '42896180eb577a597646ea232cf6fead'],
    description: 'SSI - Directive of the server in the input',
    weight: { level: 1, score: 4 },
    tags: ['ssi-injection'],
    detection: pattern(INPUT_AND_HEADERS, TEXT)`
      <!-- ?#(?:exec|include|echo|config|printenv|fsize|flastmod|set)\b
      <(?:esi|xi):(?:include|inline|debug|vars)\b
    `,
  },
  {
    ids: ['1900723', '57b12f0f86f383c1cdbb83cf7e457c10', '0b87f481ed26501ae5fdf8ebfd5c2e6a'],
    description: 'XML - Entity or document type of the client',
    weight: { level: 1, score: 5 },
    tags: ['xxe'],
    detection: pattern(['args', 'body', 'files'], TEXT)`
      <!doctype [^>]{0,200}\[.{0,200}<!(?:entity|element|attlist)
      <!entity +%? ?[a-z0-9_.-]+ +(?:system|public|"|')
      <xi:include\b[^>]{0,200}href
      <!doctype [a-z:]+ +(?:system|public) +["'](?:file|https?|ftp|php|jar|netdoc|gopher)
    `,
  },
  {
    ids: ['1900724', '878438724bba3c9f34d8d796e9c6f787', '57e7e38ee33e0b25928cf2eab5fe0349'],
    description: 'SSRF - Address of a machine inside or of the metadata of a cloud',
    weight: { level: 1, score: 4 },
    tags: ['ssrf'],
    detection: pattern(['args', 'headers'], TEXT)`
      \b(?:https?|ftp|gopher|dict|ldap|tftp|sftp|file|netdoc|jar)://(?:[^/@\s]{0,80}@)?(?:169\.254\.169\.254|metadata\.google\.internal|100\.100\.100\.200|\[?::ffff:a9fe|0x7f|017700000001|2130706433|2852039166|0{1,8}:|0\.0\.0\.0|127\.\d|localhost|\[::1?\]|\[?fd00:ec2)
      \b(?:gopher|dict|netdoc|tftp|ldap|jar:https?|file)://
      /latest/(?:meta-data|user-data|dynamic)\b
      /computemetadata/v1
    `,
  },
  {
    ids: ['1900725', '39f392857fd14c50087c2d1c4a984106', 'a0a47dbf24e883757c97a3c0c9a4341b'],
    description: 'Mail - Header of a message in a field of a form',
    weight: { level: 1, score: 4 },
    tags: ['mail-injection'],
    detection: pattern(['args'], ['url-decode', 'lower-case'])`
      [\r\n]+(?:bcc|cc|to|from|reply-to|subject|content-type|mime-version|x-mailer)[ \t]*:[^\r\n]{0,80}(?:@|multipart|text/|1\.0)
    `,
  },
  {
    ids: ['1900726', '3846107d429d7eb527f67b4c99270675', 'ed9fafa6973486898e77deab05fe059d'],
    description: 'Response - Line feed, then a header',
    weight: { level: 1, score: 5 },
    tags: ['http-response-splitting'],
    detection: pattern(['uri', 'args'], ['url-decode', 'url-decode', 'lower-case'])`
      [\r\n][ \t]*(?:set-cookie|location|content-(?:type|length|disposition)|transfer-encoding|x-[a-z-]{2,30}|access-control-[a-z-]+)[ \t]*:
      [\r\n]+http/[012]
    `,
  },
  {
    ids: ['1900727', '9ad78fceb8549be2ca41932707829d1a', '5df21268fb101d8fe479514d8fe155fc'],
    description: 'Session - Id of a session set by a link or by markup',
    weight: { level: 1, score: 3 },
    tags: ['session-fixation'],
    detection: pattern(INPUT, TEXT)`
      \bdocument\.cookie ?= ?.{0,40}(?:sess|sid|token)
      http-equiv ?= ?["']?set-cookie
      \.cookie\b.{0,80}(?:;expires|;domain|;path)
    `,
  },
  {
    ids: ['1900728', '1439f87efac3febc7a4e5ca5ae34316f', '9006e6781e156646c753ed7536d0f83c'],
    description: 'Log4j - Look-up, plain or put together',
    weight: { level: 1, score: 5 },
    tags: ['log4j', 'rce'],
    detection: pattern(EVERYWHERE, TEXT)`
      \$\{ ?(?:jndi|lower|upper|env|sys|java|ctx|date|map|main|bundle|sd|marker|web|docker|k8s|spring|::)[ ]?:
      \$\{[^}]{0,40}\$\{
    `,
  },
  {
    ids: ['1900729', '2e47c9e3b1f420994337e650d1f8a285', '895aeb329d7fedbb63b029e47f167200'],
    description: 'Python and Ruby - Serialised or evaluated code',
    weight: { level: 1, score: 5 },
    tags: ['deserialization', 'rce'],
    detection: pattern(INPUT, TEXT)`
      !!python/(?:object|name|module)
      !ruby/(?:object|hash|struct)
      !!(?:javax|java|com|org)\.[a-z.]{3,80}
      \bc(?:os|posix|subprocess|__builtin__|builtins)\n(?:system|popen|eval|exec)
      \b(?:os|subprocess)\.(?:system|popen|call|run|check_output) ?\(
      \b__import__ ?\(
      \b(?:kernel|io|open3|process)\.(?:exec|system|popen|spawn|open)\b ?[(\x60'"]
    `,
  },
  {
    ids: ['1900730', '2bd22be54f45e51940dc5390c0fefcec', '5f0f9eb36e0e70c8acfe5fecab869410'],
    description: '.NET - Serialised object or type that loads code',
    weight: { level: 1, score: 5 },
    tags: ['dotnet', 'deserialization'],
    detection: pattern(INPUT, AS_SENT)`
      (?:^|[=":])AAEAAAD/////
      "?\$type"?\s*:\s*"?System\.
      System\.(?:Windows\.Data\.ObjectDataProvider|Diagnostics\.Process|Configuration\.Install|Management\.Automation|Web\.UI\.LosFormatter)
      ^\$type$
    `,
  },
  {
    ids: ['1900731', 'ffcb7000356a535bb12c5a2fee68dfba', '1659345a630d827fdbc154db78e82c75'],
    description: 'GraphQL - Question for the schema',
    weight: { level: 3, score: 2 },
    tags: ['graphql', 'information-disclosure'],
    detection: pattern(INPUT, LOWER)`\b__(?:schema|type)\b\s*(?:\(|\{)`,
  },
  {
    ids: ['1900732', '3bd2e1d3ddf03d390ac885256a02b890', 'a7e86325d0945522370b0770bbcae536'],
    description: 'Command - Several signs of a shell in one value',
    weight: { level: 2, score: 3 },
    tags: ['command-injection'],
    detection: pattern(['args', 'cookies'], TEXT)`
      \$\{?ifs\b
      (?:\|\||&&|;|\|) ?(?:${UNIX_COMMANDS})(?:[ ;|&>]|$)
      \d?>(?:&\d|/dev/null|/tmp/)
      \$\(\(|\$\{#?[a-z_]+[:#%/]
    `,
  },
  {
    ids: ['1900733', 'de952379e115166ac9f625e7389786dd', '184b95d09f350c5449e81439b474dd06'],
    description: 'File - Name of a file of the system or of settings',
    weight: { level: 1, score: 5 },
    tags: ['file-inclusion'],
    detection: pattern(INPUT_AND_HEADERS, FILE_PATH)`
      (?:^|[/"'= (])(?:etc/(?:passwd|shadow|group|hosts|sudoers|crontab|issue|resolv\.conf|ssh/|mysql/|apache2?/|nginx/)|proc/(?:self|version|cpuinfo|mounts|\d+)/|windows/(?:win\.ini|system32|system\.ini)|winnt/|boot\.ini|var/log/(?:apache|nginx|auth|httpd|syslog|messages)|root/\.(?:ssh|bash)|\.ssh/(?:id_|authorized_keys)|web-inf/)
    `,
  },
  {
    ids: ['1900734', 'c01a079c3de7123beaacb31775a1a324', 'd3ae7a852bcf57e2eb7f24ed5f5b1dbe'],
    description: 'Perl and shell scripts - Opening line or a pipe at the end of a name',
    weight: { level: 2, score: 3 },
    tags: ['command-injection'],
    detection: pattern(INPUT, TEXT)`
      ^#! ?/
      ^[|].{1,80}[|]$
      ^[\w./-]{1,60}\|$
    `,
  },
])
