// Attacks by what they do, in the forms that suites of other projects test: most rules look at a whole value, so that
// prose that mentions the same words passes.
import { newRules, pattern } from './rule-draft.ts'
import {
  AS_SENT,
  COMMAND,
  DECODED_LINES,
  FILE_PATH,
  INPUT,
  INPUT_AND_HEADERS,
  LOWER,
  MARKUP,
  PATH,
  SQL,
  TEXT,
  URL_DECODED,
  VALUES,
  WHOLE_REQUEST,
  WITH_PATH,
} from './views.ts'

/** A whole value that is a class, of packages that give access to the system or that are known from exploits. */
const JAVA_CLASS = String.raw`^"?(?:com\.(?:opensymphony|sun\.(?:org\.apache|rowset|jndi)|mchange)|java\.(?:io\.\w{4,40}|lang\.(?:class|classloader|compiler|invoke|object|process\w{0,20}|reflect|runtime\w{0,20}|string|stringbuilder|system|thread\w{0,20})|net\.(?:url\w{0,30}|socket)|nio\.file|rmi|script|security|sql)|javax\.(?:script|naming|management|imageio)|jdk\.(?:internal|jshell)|freemarker\.(?:core|template)|groovy\.(?:lang|util)|javassist|ognl|org\.(?:apache\.(?:catalina|commons|struts|struts2|logging|myfaces|tomcat|velocity|wicket|xalan)|codehaus\.groovy|hibernate\.engine|jboss|mozilla\.javascript|omg\.corba|python\.(?:core|util)|springframework|springsource))(?:[.$]\w{1,60}){0,12}"?$`

/** Names that hardly occur outside of PHP. */
const PHP_FUNCTION = String.raw`base64_decode|bzdecompress|call_user_func(?:_array)?|create_function|file_get_contents|file_put_contents|fsockopen|pfsockopen|get_defined_(?:functions|vars|constants)|gzdeflate|gzinflate|gzuncompress|move_uploaded_file|pcntl_(?:exec|fork)|php_uname|phpversion|posix_get(?:egid|euid|gid|login|pwuid|uid)|posix_(?:kill|mkfifo|setuid|ttyname)|preg_replace_callback|proc_(?:close|get_status|nice|open|terminate)|rawurldecode|readgzfile|scandir|set_magic_quotes_runtime|shell_exec|show_source|str_rot13|stream_(?:context_create|socket_client|get_contents)|sys_get_temp_dir|unserialize|urldecode|var_dump|wp_remote_\w{3,20}|zlib_decode`

/** Names that are words elsewhere: only as a call that is the whole value. */
const PHP_CALL = String.raw`${PHP_FUNCTION}|array_(?:map|filter|diff_ukey|udiff|walk)|curl_exec|eval|file_exists|highlight_file|is_(?:dir|file|readable|writable)|parse_ini_file|passthru|php(?:info|credits)|posix_\w{3,20}|print_r|readfile|strrev`

export const BEHAVIOR_RULES = newRules([
  {
    ids: ['fc7d0e04d6d3170d6a1b60f2a9c88f65', '910ac53fb1b9c5cd9c52226e597e2280'],
    description:
      'Java - Name of a class that gives access to files, processes or reflection, as a whole value',
    tags: ['java', 'rce'],
    mode: 'block',
    detection: pattern(WHOLE_REQUEST, TEXT)`
      ${JAVA_CLASS}
    `,
  },
  {
    ids: ['04ec22423a31884d1d4703a935a52411', '49a4693a2da8c28a5e2b4e4cef37b03c'],
    description: 'Java - Class of a library that runs code when it is deserialized',
    tags: ['java', 'rce', 'deserialization'],
    mode: 'block',
    detection: pattern(WHOLE_REQUEST, TEXT)`
      ^\S{0,200}\b(?:clonetransformer|forclosure|instantiatefactory|instantiatetransformer|invokertransformer|prototypeclonefactory|prototypeserializationfactory|whileclosure|chainedtransformer|constanttransformer|lazymap|badattributevalueexpexception|templatesimpl|jdbcrowsetimpl|methodclosure|convertedclosure)\b\S{0,200}$
      ^(?:processbuilder|runtime)\.[a-z_$][a-z0-9_$.]{2,100}$
    `,
  },
  {
    ids: ['d880d62faf5ed8926ef879f74fa6e776', '72c7ee434c0bba2b1f3f976c5920575e'],
    description: 'Java - Serialized object',
    tags: ['java', 'deserialization'],
    mode: 'block',
    detection: pattern(INPUT, AS_SENT)`
      ^\xac\xed\x00\x05
      ^(?:rO0AB[QXc]|KztAA[QX]|Cs7QAF)[A-Za-z0-9+/=_-]*$
    `,
  },
  {
    ids: ['89329702f4a78122f4011bae8dc354da', '7ef9a6aeb0d853b5cede123846d0af42'],
    description: 'Windows - Loop of a command line',
    tags: ['rce', 'windows'],
    mode: 'block',
    detection: pattern(INPUT_AND_HEADERS, COMMAND)`
      (?:^|[&|;(\x60] ?)for (?:/[dflr] |%)[^\n]{0,120}?\bin ?\([^\n]{0,200}\) ?do ?[@a-z(]
    `,
  },
  {
    ids: ['606e226660b9a27e847123dd73e877a7', '6a72290b264d0420ba43a7d0c979be15'],
    description: 'Windows - Condition of a command line',
    tags: ['rce', 'windows'],
    mode: 'block',
    detection: pattern(INPUT_AND_HEADERS, COMMAND)`
      ^[&|;(\x60]? ?if (?:/i )?(?:not )?(?:exist [^\s]*[.:\\/]\S* |errorlevel \d|cmdextversion \d)
      ^[&|;(\x60]? ?if (?:/i )?(?:not )?defined (?:path|pathext|os|windir|systemroot|systemdrive|comspec|te?mp|user(?:name|profile|domain)|computername|program(?:files|data|w6432)\S*|(?:local)?appdata|allusersprofile|home(?:drive|path)|number_of_processors|processor_\w{1,20}|sessionname|logonserver|cd|random|errorlevel)(?: \(?@?|\(@?)\w
      ^[&|;(\x60]? ?if (?:/i )?(?:not )?defined [a-z_]\S*?(?: \(?@?|\(@?)(?:cmd|echo|goto|set|call|exit|start|del|erase|copy|xcopy|robocopy|move|ren|md|mkdir|rd|rmdir|dir|type|more|for|net|netsh|sc|reg|ping|curl|wget|certutil|bitsadmin|mshta|rundll32|regsvr32|msiexec|powershell|pwsh|wmic|whoami|hostname|ipconfig|systeminfo|tasklist|taskkill|nslookup|python|wscript|cscript|calc|explorer)\b
      ^[&|;(\x60]? ?if (?:/i )?(?:not )?[^\s(=]{1,80}(?: [^\s(=]{1,20})? ?== ?[^\s:;]{1,80}(?: [^\s(=]{1,20})? \(?@?(?:cmd|echo|goto|set|call|exit|start|del|copy|type|net|powershell|wmic)\b
      ^[&|;(\x60]? ?if (?:/i )?(?:not )?\(?(?:[%!]\S{1,80}|\d{1,9}) (?:equ|neq|lss|leq|gtr|geq) \S
    `,
  },
  {
    ids: ['493f0f05a17491eefc03334842244448', 'c9e415903a6dbcd7b907a38ebcf41a72'],
    description: 'Upload - File name that a server runs, in a header of an uploader',
    tags: ['php', 'file-upload'],
    mode: 'block',
    detection: pattern(
      ['filenames', 'header:x-filename', 'header:x_filename', 'header:x.filename', 'header:x-file-name'],
      LOWER,
    )`
      \.(?:php\d{0,3}|phtml|phar|phps|pht)\.*$
    `,
  },
  {
    ids: ['fd13df54845009f29738285dd9e978cd', '1265f9ba6363485b85ee1bacc1cd4dc3'],
    description: 'PHP - Setting of the interpreter as a name or a value',
    tags: ['php'],
    mode: 'block',
    detection: pattern(INPUT, TEXT)`
      ^(?:allow_url_(?:fopen|include)|auto_(?:append|prepend)_file|disable_(?:classes|functions)|open_basedir|safe_mode(?:_\w{1,30})?|session\.\w{3,40}|suhosin\.\w{3,40}|magic_quotes_\w{3,20}|zend\.\w{3,40}|opcache\.\w{3,40}|mail\.\w{3,40}|sendmail_(?:from|path)|user_ini\.filename|enable_dl|extension_dir) ?= ?\S{1,200}$
    `,
  },
  {
    ids: ['9f1fe717cdcb887a764bbfa565f8e01c', '7464ae5526beda92116d8699773e321c'],
    description: 'PHP - Stream of the interpreter as a whole value',
    tags: ['php', 'file-inclusion'],
    mode: 'block',
    detection: pattern(INPUT, TEXT)`
      ^(?:php://(?:std(?:in|out|err)|(?:in|out)put|fd|memory|temp|filter)|(?:zlib|phar|expect|ssh2(?:\.\w{3,8})?|rar|ogg|glob|zip)://)\S*$
    `,
  },
  {
    ids: ['40931cd376ae44203166be9fd9f3b5c7', '2abddc9416e1e3b62e13a172da653cc7'],
    description: 'PHP - Function with access to the system, as a whole value or call',
    tags: ['php', 'rce'],
    mode: 'block',
    detection: pattern(WITH_PATH, TEXT)`
      ^[\s;"(@/]{0,6}(?:[\w.]{1,20})?(?:${PHP_CALL}) ?\((?:[^()]{0,200}|(?:\w{2,30}\([^()]{0,100}){1,4})\){1,5}(?:\[\d\])?[\s;]*$
      ^(?:eval|fopen|file_exists|print_r|system|exec) ?\( ?(?:\$\w{1,30})? ?\)$
    `,
  },
  {
    ids: ['8a1aa1daeae771e95633768c42184755', '375034df3d109254a63c72a5ddeb7e7a'],
    description: 'PHP - Call of a function whose name is computed',
    tags: ['php', 'rce'],
    mode: 'block',
    detection: pattern(INPUT, TEXT)`
      ^[@\s]*\$[$@]*(?:[a-z_]|\{[^}]{1,60}\})[^\s()=]{0,80}?(?:[\w}\])'"]|\] ?|\*/ ?|/\*.{0,40}\*/ ?)\([^()]{0,100}\)[\s;)]*$
      ^[@\s]*\$[$@]*[a-z_]\w{0,40} ?(?:(?:#|//)?[^\[({]{0,40}[\[{][^\]}]{0,40}[\]}]){1,4}(?:/\*.{0,40}\*/|//[^(]{0,40}| ){0,3}\([^)]{0,100}\)[\s;)]*$
      ^\$\w{1,40} ?=[ '"@\w.$]{2,80};? ?\(?@?\$\w{1,40}\)?\(
      ^\((?:[ \["'a-z_]|/\*.{0,40}?\*/)[^)]{1,60}\)?[^)]{0,20}\)(?:\s*[\[{](?:/\*.{0,40}?\*/|[^\]}]){0,40}[\]}]\s*)*\(["'a-z_ $/*][^)]{0,60}\)[\s;]*$
      ^define\(["']\w{1,20}["'], ?
    `,
  },
  {
    ids: ['c09754d290f84943ccf7d71c92dede04', 'a1e9a3d55b00975894da6ac9c3aac023'],
    description: 'JavaScript - Code for a server that runs it',
    tags: ['nodejs', 'rce'],
    mode: 'block',
    detection: pattern(INPUT_AND_HEADERS, TEXT)`
      (?:_(?:\$\$nd_func\$\$_|_js_function)|\bprocess ?\. ?(?:mainmodule|binding) ?(?:[.(]|$)|\bthis\.constructor(?:\.constructor|\[)|require ?\( ?['"\x60]child_process['"\x60] ?\) ?\.)
      ^(?:new )?function ?\([\w, ]{0,60}\) ?\{ ?$
      ^xyqktkrfrlvoqyqkxw
      \[(?:__proto__|constructor)\](?:\[|\.)
    `,
  },
  {
    ids: ['47fe0b563a65bb27a9d47475f86c3905', '9141cbf5ff355a8685252281da2079e7'],
    description: 'XSS - Object of a page read or changed by name',
    tags: ['xss'],
    mode: 'block',
    detection: pattern(INPUT, MARKUP)`
      ^[;,"'\s]*(?:window|document|self|top|parent|frames|globalthis)\.(?:location|cookie|domain|write|writeln|open|eval|alert)\b(?:$|[=(;.\[])
      ^[^a-z]{0,20}(?:window|document|self|top|parent|frames|globalthis|this)(?: |/\*.{0,60}?\*/|\)){0,4}\[(?: |/\*.{0,60}?\*/){0,3}["'\x60/(]
      ^.{0,200}[(=;:,"' ](?:window|self|top|parent|frames|globalthis)(?: |/\*.{0,40}?\*/|\)){0,4}\[(?: |/\*.{0,40}?\*/){0,3}["'\x60]\w{2,20}["'\x60]
      !\s?!?\s?\[ ?\].{0,30}[+\[]|\[ ?\[ ?\] ?\+
    `,
  },
  {
    ids: ['d8ea510412375f93fc0fd12c6444652c', '7d01f243ed08bfb6aaa4cdb1f94ec7dc'],
    description: 'XSS - Event handler or form target in a broken attribute or tag',
    tags: ['xss'],
    mode: 'block',
    detection: pattern(WITH_PATH, MARKUP)`
      ^["'\x60][^a-z]{0,10}(?:on[a-z]{3,20}|formaction) ?=
      <[a-z][a-z0-9]{0,20}[\s/]+on[a-z]{3,20} ?=(?:$|[^{ >])
      <(?:base|object|embed|applet)\b[^>]{0,60}[\s/](?:href|data|src|code) ?/? ?=
      <f o r m|<s c r i p t|<i f r a m e
      <(?:v:)?vmlframe\b|<(?:import|\?import|xml)\b[^>]{0,200}\bimplementation ?=
      </script><script
    `,
  },
  {
    ids: ['d0620cd436da3de073c703c2ebb8dd3b', '3cf57e14b24d4718db877fef8d066a32'],
    description: 'XSS - Script element or scheme in another encoding',
    tags: ['xss'],
    mode: 'block',
    detection: pattern(INPUT, TEXT)`
      (?:\\xbc|\+adw-)/?(?:script|img|iframe)
      ^["\'(]?(?:java|vb|live)(?:&tab;|&newline;)s?cript(?:&colon;|:)
      ^ja(?:&tab;|&newline;)vascript:
    `,
  },
  {
    ids: ['1969a25112000ef855ace4680a392186', '47d81ca7f152bd095df3ab1cb7051804'],
    description: 'SQL - Function or name of a database system, as a whole value',
    tags: ['sqli'],
    mode: 'block',
    detection: pattern(INPUT, SQL)`
      ^[\s"'();,|&=-]*(?:and |or |select )?(?:sleep|benchmark|pg_sleep|dbms_pipe\.receive_message|waitfor delay|db_name|database|schema|user_name|system_user|current_user|session_user|load_file|char|user|version|extractvalue|updatexml|xp_cmdshell|utl_http\.request) ?\([^)\s]{0,60}\)?[\s;#"'()-]*$
      ^[\s"'();,|&=-]*(?:tempdb|northwind|msysaces|msysobjects|msysqueries|msysrelationships|msysaccess\w{3,20}|msysaccounts|sysobjects|sysdatabases|sysusers|mysql\.(?:db|user)|pg_(?:catalog|toast|shadow)|information_schema|schema_name|sqlite_(?:temp_)?master|master\.\.sysdatabases|all_tables|user_tables)\b[\s;#"'().-]*$
      \b(?:sleep|pg_sleep) ?\( ?\d{1,9}(?:\.to_i)? ?\)[\s"')#-]*$
      \(select ?(?:\*|\w{1,20}) ?from ?\(select ?\(? ?sleep
      \bwaitfor ?delay ?['"(]
    `,
  },
  {
    ids: ['e447f92347c0be38d025941009bbf1d2', '0bdff76fc7a694682a21fbde862660d5'],
    description: 'SQL - Piece of a statement as a whole value',
    tags: ['sqli'],
    mode: 'block',
    detection: pattern(INPUT, SQL)`
      ^[^a-z]{0,3}(?:\w{1,12}["'\x60)] ?)?exec(?:ute)? ?\(? ?master\.
      ^[^a-z]{0,3}(?:\w{1,12}["'\x60)] ?)?procedure ?analyse ?\(
      ^[^a-z]{0,3}(?:\w{1,12}["'\x60)] ?)?declare ?@\w
      ^[^a-z]{0,4} ?[)\x60;"'] ?as ?.{1,60}? ?from\b
      ^\W{0,3}\d{1,9}\W{0,3} ?as ["'\x60]\w{1,40}["'\x60] from
      ^[^a-z]{0,4}\) ?(?:like|rlike|regexp) ?\(
      ^\(? ?load_file ?\(|^select(?:ect)? ?(?:.{0,60}\()?user ?\(
      \bselect\b[^.!?]{1,80}\bfrom ?\( ?select\b
    `,
  },
  {
    ids: ['249855b51e3a698319fb1a0d167d498f', '04c9116359f0d30fff48b23f9f6f97d3'],
    description: 'NoSQL - Operator of a query in a name or value',
    tags: ['nosqli'],
    mode: 'block',
    detection: pattern(['args', 'arg-names', 'body'], TEXT)`
      \[\$(?:ne|nin|regex|where|exists|elemmatch)\]
      ^["\'\s{]{0,8}\$where["\']? ?:
    `,
  },
  {
    ids: ['ce680a4f3b01971b4ea2f0f22c973fb4', 'c0a4ae52463ee1e9ed7df00edcac7dd9'],
    description: 'LDAP - Filter that closes one and opens another',
    tags: ['ldapi'],
    mode: 'block',
    detection: pattern(INPUT, TEXT)`
      ^[\w.-]{0,60}\*?\)\([&|!]
      ^[\w-]{0,40}\*\)\(\w{1,30}=
    `,
  },
  {
    ids: ['57b960239e189b5c30b4500bec16b8b4', '3e8f544b112e2dd73b1d47e7c512b9ba'],
    description: 'HTTP - Line of another request or response in a value',
    tags: ['http-request-smuggling'],
    mode: 'block',
    detection: pattern(VALUES, DECODED_LINES)`
      [\n\r](?:get|post|head|options|connect|put|delete|trace|propfind|patch)[\s+]+(?:/|\w{3,10}://)\S*(?:[\s+]+http/\d|\s*$)
      (?:get|post|head|put|delete)\s+/\S*\s+http/\d(?:\.\d)?[\r\n]
      [\r\n]{1,6}\s*(?:set-cookie|location|content-(?:type|length)|(?:x-)?(?:remote|forwarded)-(?:addr|for|ip)|transfer-encoding)[\r\n]{0,4}\s{0,2}:
      ^https?/\d\.\d \d{3} [a-z]
    `,
  },
  {
    ids: ['bc3f032466d49e62eb51f6f301f58350', '3457b2a6030f44f9eb4118f4c696d576'],
    description: 'HTTP - Line break or null byte in the path',
    tags: ['protocol-violation'],
    mode: 'block',
    detection: pattern(PATH, URL_DECODED)`
      [\n\r]
      \x00
    `,
  },
  {
    ids: ['1b0ab5f3348b5c4858c8007ab2093027', 'caade0c2890235b0ff4e6a872a2bd86f'],
    description: 'File - Backup of a script, or name of a database or key',
    tags: ['information-disclosure'],
    mode: 'block',
    detection: pattern(PATH, FILE_PATH)`
      \.(?:php|asp|aspx|jsp|pl|py|rb|cgi|cfm|inc)\d?~(?:/|$)
      \.(?:php|asp|aspx|jsp|inc|conf|config|ini|sql)\.(?:bak|old|orig|save|swp|tmp)$
      /\.?[\w-]{1,60}\.(?:mdb|dbf|ldf|mdf|bak|bck|backup|swo|swp)$
      (?:nessustest|nessus_is_probing_you|appscan_fingerprint|cybercop)
    `,
  },
  {
    ids: ['a306dc33743df713d0d366c98b652bfa', 'f619dd3bb5be87a04811882a3482507f'],
    description: 'File - Key or settings of an account, as a value',
    tags: ['file-inclusion'],
    mode: 'block',
    detection: pattern(INPUT, FILE_PATH)`
      ^(?:[^\s]{0,100}/)?\.(?:ssh/(?:id_\w{2,10}|authorized_keys|known_hosts|config)|aws/credentials|bash_history|netrc|htpasswd|pgpass|my\.cnf|git-credentials|docker/config\.json|kube/config)$
    `,
  },
  {
    ids: ['7fd713acf931e6da3515530496db544c', 'f521f6e1c643949698f97269ff9b3512'],
    description: 'File - Address of a script on another server',
    tags: ['rfi'],
    mode: 'block',
    detection: pattern(INPUT, TEXT)`
      ^(?:https?|ftps?|file)://\d{1,3}(?:\.\d{1,3}){3}[:/]\S*\.(?:php\d?|phtml|txt|asp|aspx|jsp|cgi|pl|sh|exe)\b
      ^(?:file|ftps?|https?)\?+$
    `,
  },
  {
    ids: ['02583ece387a3a893f2cdbcafe74691b', '08ed0b9443e023f5565eb92aa50e54fa'],
    description: 'Session - Identifier given from outside',
    tags: ['session-fixation'],
    mode: 'block',
    detection: pattern(['arg-names'], LOWER)`
      ^(?:jsessionid|aspsessionid\w{0,20}|asp\.net_sessionid|phpsess(?:ion|id)|weblogicsession|cfid|cftoken|cfsid|jservsession|jwsession)$
    `,
  },
  {
    ids: ['743cf1d7e643ac040168a6815c71fd05', 'b208ff3ae59209680d2d255a5cf7ffc3'],
    description: 'Session - Cookie set by script or markup',
    tags: ['session-fixation'],
    mode: 'block',
    detection: pattern(INPUT, MARKUP)`
      \bdocument\.cookie ?= ?["'\x60]
      http-equiv ?= ?["'\x60]? ?set-cookie
      ^\W{0,6}\.cookie\b.{0,40};\W{0,3}(?:expires|domain)\W{0,3}=
    `,
  },
])
