// OWASP HTTP Policy: methods, versions, types and files that sites rarely intend to offer.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { check, every, expression, owaspGroup, pattern } from './rule-draft.ts'
import { FILE_PATH, LOWER, PATH } from './views.ts'

export const HTTP_POLICY = owaspGroup({ id: OWASP_GROUP_IDS.httpPolicy, tags: ['http-policy'] }, [
  {
    ids: ['1901001', '286f92d15c5e768753258ab90b3d5238', '17889ae9a4443740008a6e5def735600'],
    description: 'Method that no site needs',
    weight: { level: 1, score: 5 },
    detection: expression`
      not http.request.method in {"GET" "HEAD" "POST" "OPTIONS" "PUT" "PATCH" "DELETE" "PURGE" "REPORT" "PROPFIND" "PROPPATCH" "MKCOL" "COPY" "MOVE" "LOCK" "UNLOCK" "SEARCH" "QUERY"}
    `,
  },
  {
    ids: ['1901002', 'c2bdc3b30f8f9bdd5f89722f352f10d6', '4328485dc8ea1bdbd0fa5cf447834d79'],
    description: 'Method of shared folders',
    weight: { level: 3, score: 3 },
    detection: expression`
      http.request.method in {"PROPFIND" "PROPPATCH" "MKCOL" "COPY" "MOVE" "LOCK" "UNLOCK" "SEARCH"}
    `,
  },
  {
    ids: ['1901003', 'dd1e26a73ce089d6b96418a169ac9c24', '6aef0f746d9ee9a6469ceb4ba775b0fc'],
    description: 'Version of HTTP that does not exist',
    weight: { level: 1, score: 5 },
    detection: expression`
      not http.request.version in {"HTTP/1.0" "HTTP/1.1" "HTTP/1.2" "HTTP/2" "HTTP/2.0" "HTTP/3" "HTTP/3.0" "SPDY/3.1"}
    `,
  },
  {
    ids: ['1901004', '3b8e77cf2f5a86ebc1fbfc7849910da1', 'a0ca299bdcd779251e3aea7e104628a1'],
    description: 'Type of a body that no application reads',
    weight: { level: 1, score: 3 },
    detection: every(
      check(['method'], LOWER)`^(?:post|put|patch)$`,
      check(['content-type'], LOWER)`
        ^[^/]*$
        %\{|\$\{|[<>(){}]
      `,
    ),
  },
  {
    ids: ['1901005', 'ef1c6350bd10b6caadc8a95fddb839ba', '40bed66b9d720dabdc7c2921b0ca17ca'],
    description: 'Charset that hides text from those who check it',
    weight: { level: 1, score: 4 },
    detection: pattern(['content-type'], LOWER)`
      charset ?= ?["']?(?:utf-?7|utf-?16|utf-?32|ucs-|ibm0|cp0|cp500|ebcdic|hz-gb|iso-2022)
    `,
  },
  {
    ids: ['1901006', 'ab2ef73ac9523b0bc487763a7bf8b0d9', '012505a19c5c1ce3af0e3dd540c400f9'],
    description: 'File with settings, keys, copies or a dump',
    weight: { level: 1, score: 5 },
    tags: ['http-policy', 'information-disclosure'],
    detection: pattern(PATH, FILE_PATH)`
      \.(?:bak|backup|old|orig|save|swp|swo|tmp~?|sql|sql\.gz|mdb|ldb|sqlite3?|dbf|pem|key|p12|pfx|ppk|kdbx|conf|cfg|ini|log|inc|config|asa|asax|cs|vb|resx|csproj|pwd|dmp|rdb|pcap)$
      ~$
    `,
  },
  {
    ids: ['1901007', '8576de5e456e7f2c28f927995633bda9', 'a07fbacfc4990317f3f1170e5a49bca2'],
    description: 'File or folder whose name begins with a dot',
    weight: { level: 1, score: 5 },
    tags: ['http-policy', 'information-disclosure'],
    detection: pattern(PATH, FILE_PATH)`
      /\.(?:git|svn|hg|bzr|env|ht[a-z]+|aws|ssh|docker|kube|npmrc|bash|zsh|vscode|idea|ds_store|config|netrc|pgpass|my\.cnf|terraform)
    `,
  },
  {
    ids: ['1901008', 'a33b418de1f1880083424aa8ee8e2ab8', '59e5bd4fb3a354073f2fcca50cca0db2'],
    description: 'Header that changes the method or the path',
    weight: { level: 2, score: 3 },
    detection: pattern(['header-names'], LOWER)`
      ^x-(?:original-url|rewrite-url|http-method|method-override|http-method-override)$
    `,
  },
  {
    ids: ['1901009', 'f696cfae7dc257b463a7be0f0216e728', '9a5fedb2ef193ac116fad82b65364cad'],
    description: 'Encoding of a body that hides it from those who check it',
    weight: { level: 2, score: 2 },
    detection: expression`
      has_key(http.request.headers, "content-encoding") and not any(lower(http.request.headers["content-encoding"][*])[*] in {"" "identity" "gzip" "deflate" "br" "zstd"})
    `,
  },
])
