// OWASP Trojans: upload and use of web shells.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { check, every, owaspGroup, pattern } from './rule-draft.ts'
import { FILE_PATH, LOWER, PATH, TEXT } from './views.ts'

export const TROJANS = owaspGroup({ id: OWASP_GROUP_IDS.trojans, tags: ['web-shell', 'rce'] }, [
  {
    ids: ['958019', 'c53755e09e9d4ddc4ca34e4926d1ca42', 'f60595971305b32f9e98675f2dd007da'],
    description: 'Web shell - File by a well-known name',
    weight: { level: 1, score: 5 },
    detection: pattern(PATH, FILE_PATH)`
      /(?:c99|r57|c100|wso\d?|b374k|alfa(?:cgiapi)?|indoxploit|mini-?shell|web-?shell|php-?shell|php-?reverse-shell|weevely|p0wny|cmd|cmdasp|aspxspy|jspspy|jfolder|antsword|godzilla|behinder|chopper|filesman|gel4y|marijuana|k2ll33d|leaf(?:mailer)?|simple-backdoor|backdoor|shell\d{0,2}|up(?:loader)?shell|x{1,3}shell|ak47shell|1337|0x[a-z0-9]{2,8})\.(?:php\d?|phtml|asp|aspx|ashx|jsp|jspx|cfm|pl|py|cgi)$
    `,
  },
  {
    ids: ['1901301', '565a18d328085db572041d10375a4da0', '153fe048da025b20658d453939052de1'],
    description: 'Web shell - Command in the argument that shells read',
    weight: { level: 1, score: 5 },
    detection: every(
      check(PATH, FILE_PATH)`\.(?:php\d?|phtml|asp|aspx|ashx|jsp|jspx|cgi|pl|cfm)$`,
      check(
        [
          'arg:cmd',
          'arg:exec',
          'arg:command',
          'arg:c',
          'arg:shell',
          'arg:execute',
          'arg:run',
          'arg:pass',
          'arg:z0',
          'arg:0',
          'arg:ev',
          'arg:code',
        ],
        LOWER,
      )`
        ^(?:id|whoami|uname|ls|dir|pwd|cat|type|net|ipconfig|ifconfig|wget|curl|systeminfo|ps|netstat|echo|cd|set|ver|hostname|tasklist)(?:[ ;|&]|$)
        @?(?:eval|assert|ini_set|base64_decode|system|phpinfo) ?\(
        ^response\.write|^execute ?\(|wscript\.shell
      `,
    ),
  },
  {
    ids: ['1901302', '69294043e21ae1aadb22cc058762c6e8', '1abeda8f7ebe497dbf68cc97c17cca2f'],
    description: 'Web shell - Code of a shell in a file or a field',
    weight: { level: 1, score: 5 },
    detection: pattern(['files', 'args', 'body'], TEXT)`
      <\?(?:php|=)?.{0,200}(?:eval|assert|system|exec|shell_exec|passthru|popen|proc_open|preg_replace|create_function|include|file_put_contents|\x60) ?\(? ?.{0,80}\$_(?:get|post|request|cookie|server|files)
      <\?(?:php|=)?.{0,200}(?:base64_decode|gzinflate|str_rot13|gzuncompress|hex2bin) ?\(
      <%.{0,200}(?:runtime\.getruntime|processbuilder|server\.createobject|wscript\.shell|eval ?\( ?request|request\.getparameter.{0,80}exec|process\.start|system\.diagnostics)
      <%@ ?(?:page|webhandler) [^>]{0,120}(?:language|import).{0,400}(?:process|runtime|eval)
    `,
  },
  {
    ids: ['1901303', '828ec24620fe558a67aa60c942604c61', '6134229b078b3feffe3e3eff8f8e1951'],
    description: 'Upload - File that the server would run',
    weight: { level: 1, score: 5 },
    tags: ['web-shell', 'file-upload'],
    detection: pattern(['filenames'], FILE_PATH)`
      \.(?:php[0-9s]?|phtml?|pht|phar|shtml?|asp|aspx|ashx|asmx|asa|cer|cdx|jsp|jspx|jspf|jsw|jsv|cfm|cfml|cgi|htaccess|htpasswd|user\.ini|war)(?:[. \x00;%].{0,20})?$
      ^\.(?:htaccess|user\.ini)$|^web\.config$
    `,
  },
  {
    ids: ['1901304', '2675db56ee026805c08236842b55542e', '7bfcc1de472b554fcd2e31ceaf38ac7b'],
    description: 'Upload - Program or script for the visitor',
    weight: { level: 3, score: 3 },
    tags: ['file-upload'],
    detection: pattern(['filenames'], FILE_PATH)`
      \.(?:exe|dll|scr|com|pif|bat|cmd|vbs|vbe|wsf|wsh|hta|ps1|msi|jar|lnk|reg|sh|elf|bin)$
    `,
  },
  {
    ids: ['1901305', '96060458be5d3013cec84200d99674a3', '89c280484a5d4364140a1a191392903f'],
    description: 'Upload - Image or document that begins as code',
    weight: { level: 1, score: 4 },
    tags: ['web-shell', 'file-upload'],
    detection: pattern(['files'], LOWER)`
      ^(?:gif8[79]a|\xff\xd8\xff|\x89png|%pdf-|bm)?[^<]{0,40}<\?(?:php|=)
      <script language ?= ?["']?php
      ^(?:gif8[79]a)?\s{0,8}<%
    `,
  },
  {
    ids: ['1901306', 'defc8cde549724856ed9ea8252e79c3b', '1cb00544be14d0ecb0df88478144b3a8'],
    description: 'Web shell - Header that shells take commands from',
    weight: { level: 1, score: 5 },
    detection: pattern(['header-names'], LOWER)`^(?:x-cmd|cmd|c|x-shell|x-exec|x-backdoor|x-command)$`,
  },
  {
    ids: ['1901307', '645860403338bdca920edf496bfdb89e', 'f643b4bfa6e7152b1f8f36cc9b3c75d3'],
    description: 'Web shell - Encoded code in an argument that is then run',
    weight: { level: 1, score: 5 },
    detection: pattern(['args'], LOWER)`
      (?:eval|assert|execute) ?\( ?(?:base64_decode|chr|gzinflate|strrev|\$_)
      qgluav9zzxqoimrpc3bsyxlfzxjyb3jz
    `,
  },
])
