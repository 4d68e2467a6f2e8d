// ModSecurity 3 in this process, through its C library: which rules of the Core Rule Set it matches. Debian's packages
// libmodsecurity3 and modsecurity-crs.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import koffi from 'koffi'
import { CORE_RULE_SET, LIBMODSECURITY } from '../scripts/requirements.ts'

export interface JudgedRequest {
  readonly method: string
  /** The target as it was sent; one character a byte, as everywhere here. */
  readonly target: string
  /** For example `HTTP/1.1`. */
  readonly version: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

export interface Judge {
  /** Numbers of the rules that match and are written to the log. */
  readonly judge: (request: JudgedRequest) => ReadonlySet<number>
  readonly close: () => void
}

const SETUP = '/etc/modsecurity/crs/crs-setup.conf'

/** @param level the paranoia level */
export function openLibModSecurity(level: number): Judge {
  const library = koffi.load(LIBMODSECURITY)
  const logged = koffi.proto('void logged(void *data, const char *message)')
  const call = {
    init: library.func('void *msc_init()'),
    setLog: library.func('msc_set_log_cb', 'void', ['void *', koffi.pointer(logged)]),
    createRules: library.func('void *msc_create_rules_set()'),
    add: library.func('int msc_rules_add(void *rules, const char *text, _Out_ const char **error)'),
    addFile: library.func('int msc_rules_add_file(void *rules, const char *path, _Out_ const char **error)'),
    begin: library.func('void *msc_new_transaction(void *engine, void *rules, void *data)'),
    connection: library.func(
      'int msc_process_connection(void *t, const char *client, int from, const char *server, int to)',
    ),
    uri: library.func(
      'int msc_process_uri(void *t, const uint8_t *target, const char *method, const char *version)',
    ),
    header: library.func(
      'int msc_add_n_request_header(void *t, const uint8_t *name, size_t nameLength, const uint8_t *value, size_t length)',
    ),
    headers: library.func('int msc_process_request_headers(void *t)'),
    append: library.func('int msc_append_request_body(void *t, const uint8_t *body, size_t length)'),
    body: library.func('int msc_process_request_body(void *t)'),
    end: library.func('void msc_transaction_cleanup(void *t)'),
    closeRules: library.func('int msc_rules_cleanup(void *rules)'),
    close: library.func('void msc_cleanup(void *engine)'),
  }
  const engine: unknown = call.init()
  let found = new Set<number>()
  const callback = koffi.register((_: unknown, message: string) => {
    const id = /\[id "(\d+)"\]/.exec(message)?.[1]
    if (id !== undefined) found.add(Number(id))
  }, koffi.pointer(logged))
  call.setLog(engine, callback)
  const rules: unknown = call.createRules()
  const check = (result: number, error: readonly [string | null]): void => {
    if (result < 0) throw new Error(`ModSecurity refuses its rules: ${error[0]}`)
  }
  const error: [string | null] = [null]
  check(call.add(rules, rulesSettings(level), error), error)
  for (const path of ruleFiles()) check(call.addFile(rules, path, error), error)
  return {
    judge(request) {
      found = new Set()
      const transaction: unknown = call.begin(engine, rules, null)
      call.connection(transaction, '192.0.2.7', 40_000, '192.0.2.1', 80)
      call.uri(
        transaction,
        bytes(`${request.target}\0`),
        request.method,
        request.version.replace(/^HTTP\//, ''),
      )
      for (const [name, value] of request.headers)
        call.header(transaction, bytes(name), name.length, bytes(value), value.length)
      call.headers(transaction)
      if (request.body !== '') call.append(transaction, bytes(request.body), request.body.length)
      call.body(transaction)
      call.end(transaction)
      return found
    },
    close() {
      call.closeRules(rules)
      call.close(engine)
      koffi.unregister(callback)
    },
  }
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

/** The recommended settings as far as requests are concerned, and the paranoia level. */
export const rulesSettings = (level: number): string => `
SecRuleEngine DetectionOnly
SecRequestBodyAccess On
SecRequestBodyLimit 13107200
SecRequestBodyNoFilesLimit 1310720
SecAuditEngine Off
SecRule REQUEST_HEADERS:Content-Type "^(?:application(?:/soap\\+|/)|text/)xml" "id:'200000',phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=XML"
SecRule REQUEST_HEADERS:Content-Type "^application/(?:[a-z0-9.-]+[+])?json" "id:'200001',phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=JSON"
SecAction "id:'200100',phase:1,nolog,pass,t:none,setvar:tx.paranoia_level=${level},setvar:tx.executing_paranoia_level=${level}"
`

export const ruleFiles = (): readonly string[] => [
  ...(existsSync(SETUP) ? [SETUP] : []),
  ...readdirSync(CORE_RULE_SET)
    .filter((name) => name.endsWith('.conf'))
    .toSorted()
    .map((name) => join(CORE_RULE_SET, name)),
]
