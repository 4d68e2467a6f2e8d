// Ordinary requests of programs: APIs, webhooks, log-ins, editors and content managers.
import type { RequestSample } from '../request-sample.cases.ts'
import { inForm, inJson, inMultipart, inQuery, type NamedRequest } from './named-request.cases.ts'

const named = (kind: string, list: Readonly<Record<string, RequestSample>>): readonly NamedRequest[] =>
  Object.entries(list).map(([name, request]) => ({ kind, name, request }))

const text = (target: string, type: string, body: string, method = 'POST'): RequestSample => ({
  method,
  target,
  headers: { 'content-type': type },
  body,
})

const QUERIES = named('query', {
  'sort and filter': {
    target: '/api/items?sort=-created_at&filter[status]=open&fields[items]=title,body&page[size]=20',
  },
  OData: inQuery('/odata/Products', '$filter', "Name eq 'O''Brien' and Price lt 20.5"),
  'OData select': {
    target: '/odata/Products?$select=Id,Name&$orderby=Name%20desc&$top=10&$expand=Category($select=Name)',
  },
  Lucene: inQuery(
    '/solr/books/select',
    'q',
    'title:(dune OR foundation) AND year:[1950 TO 1970] -author:"unknown"',
  ),
  JQL: inQuery(
    '/rest/api/2/search',
    'jql',
    'project = "ABC" AND status in (Open, "In Progress") ORDER BY created DESC',
  ),
  Prometheus: inQuery(
    '/api/v1/query',
    'query',
    'sum(rate(http_requests_total{job="api",code=~"5.."}[5m])) by (le)',
  ),
  InfluxQL: inQuery(
    '/query',
    'q',
    'SELECT mean("value") FROM "cpu" WHERE time > now() - 1h GROUP BY time(10s)',
  ),
  'Graphite function': inQuery('/render', 'target', 'alias(sumSeries(web.*.requests.count),"requests")'),
  CQL: inQuery('/wiki/rest/api/search', 'cql', 'type=page and space in (DOCS,ENG) and text ~ "select query"'),
  'bounding box': { target: '/map/tiles?bbox=13.0882,52.3383,13.7611,52.6755&zoom=12&layers=roads,water' },
  'date range': { target: '/report?from=2024-05-01T00:00:00%2B02:00&to=2024-05-31T23:59:59%2B02:00' },
  'email in the query': inQuery('/unsubscribe', 'email', 'anna+news@example.com'),
  'tracking link': {
    target: '/?utm_source=news&utm_medium=email&utm_campaign=50%25+off+%26+more&utm_content=(top)_link',
  },
  'redirect with an address': inQuery('/out', 'url', 'https://shop.example.com/list?sort=price&page=2#top'),
  oEmbed: inQuery('/oembed', 'url', 'https://video.example.com/watch?v=abc123&t=1m30s'),
  'image proxy': { target: '/_next/image?url=%2Fimages%2Fhero.jpg&w=1920&q=75' },
  callback: { target: '/api/items?callback=jQuery351012_17145&_=1714550000000' },
  'array of numbers': { target: '/api/items?ids=1,2,3,4,5&ids[]=6&ids[]=7' },
  'number with a dash': { target: '/article.php?id=2024-05-01' },
  'number with words': { target: '/article.php?id=42-how-to-order-by-phone' },
  'negative number': { target: '/chart?x=-12.5&y=3e-7' },
  'relative path': { target: '/docs/view?page=guide/install&lang=en_US' },
  'file name': { target: '/download?file=annual-report.2024.pdf' },
  'one step upwards': { target: '/docs/view?style=../themes/dark.css' },
  'base64 state': { target: '/cb?state=eyJyIjoiL2FjY291bnQifQ%3D%3D&code=4%2F0AX4XfWh' },
  'many arguments': { target: `/filter?${Array.from({ length: 60 }, (_, i) => `f${i}=v${i}`).join('&')}` },
  'long argument': inQuery('/quote', 'text', 'The quick brown fox jumps over the lazy dog. '.repeat(25)),
  'search with a colour': { target: '/shop?color=%23ff8800&size=3%2F4%22' },
  emoji: inQuery('/search', 'q', '🎁 ideas for mum & dad 💐'),
  'percent sign': { target: '/shop?discount=50%25&note=100%25+cotton' },
})

const LOG_INS = named('log-in flow', {
  'OAuth start': {
    target:
      '/authorize?response_type=code&client_id=abc&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback%3Fx%3D1&scope=openid%20profile%20email&state=a1b2c3&nonce=n-0S6&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256',
  },
  'OAuth answer': { target: '/callback?code=SplxlOBeZQQYbYS6WxSbIA&state=a1b2c3&session_state=4f2..x' },
  'OAuth token': inForm('/token', {
    grant_type: 'authorization_code',
    code: 'SplxlOBeZQQYbYS6WxSbIA',
    redirect_uri: 'https://app.example.com/callback',
    client_secret: "7Fjfp0ZBr1KtDRbnfVdmIw'=",
  }),
  'OAuth claims': inQuery(
    '/authorize',
    'claims',
    '{"userinfo":{"email":{"essential":true},"name":null},"id_token":{"acr":{"values":["urn:x"]}}}',
  ),
  'OIDC log-out': inQuery('/logout', 'post_logout_redirect_uri', 'https://www.example.com/bye?lang=en'),
  SAML: inForm('/saml/acs', {
    SAMLResponse: `PHNhbWxwOlJlc3BvbnNlIHhtbG5zOnNhbWxwPSJ1cm46b2FzaXM6bmFtZXM6dGM6U0FNTDoyLjA6cHJvdG9jb2wi${'QUJD'.repeat(150)}==`,
    RelayState: 'https://app.example.com/home?tab=2',
  }),
  'OpenID 2': {
    target:
      '/openid?openid.ns=http%3A%2F%2Fspecs.openid.net%2Fauth%2F2.0&openid.mode=id_res&openid.return_to=https%3A%2F%2Fwww.example.com%2Freturn',
  },
  WebAuthn: inJson('/webauthn/finish', {
    id: 'AbC-_123',
    type: 'public-key',
    response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0', signature: 'MEUCIQ' },
  }),
  'next page': { target: '/login?next=/account/orders%3Fpage%3D2%26sort%3Ddate' },
  'return to another site': inQuery('/login', 'return_to', 'https://www.example.com/products?id=3&ref=mail'),
  'magic link': { target: '/magic?token=3f9a1c7e.MTcxNDU1MDAwMA.x-_y~z&email=anna%40example.com' },
  'two factors': inJson('/api/otp', { code: '123456', device: "Anna's phone" }),
  'password reset': inForm('/reset', {
    token: 'a1b2c3d4',
    password: 'New;Pass\'word"1',
    confirm: 'New;Pass\'word"1',
  }),
})

const QUERY_SQL =
  "SELECT a.id, b.name FROM accounts a JOIN banks b ON b.id = a.bank_id WHERE b.city = 'Rome' AND a.total > 1 ORDER BY 1 LIMIT 10"

const JSON_APIS = named('JSON API', {
  'price filter': inJson('/api/products/query', {
    filter: { price: { $gt: 10, $lt: 50 }, color: { $in: ['red', 'blue'] } },
    sort: { price: 1 },
  }),
  Elasticsearch: inJson('/books/_search', {
    query: { bool: { must: [{ match: { title: 'dune' } }], filter: [{ range: { year: { gte: 1960 } } }] } },
    aggs: { by_author: { terms: { field: 'author' } } },
  }),
  'script in a search': inJson('/books/_search', {
    query: { match_all: {} },
    script_fields: {
      total: { script: { source: "doc['price'].value * params.factor", params: { factor: 2 } } },
    },
  }),
  'JSON-RPC': inJson('/rpc', { jsonrpc: '2.0', id: 1, method: 'system.listMethods', params: [] }),
  'JSON patch': inJson(
    '/api/items/4',
    [
      { op: 'replace', path: '/title', value: 'New "title"' },
      { op: 'remove', path: '/tags/0' },
    ],
    'PATCH',
  ),
  'merge patch': inJson('/api/items/4', { title: null, meta: { a: [1, 2, { b: 'c' }] } }, 'PATCH'),
  'GraphQL query': inJson('/graphql', {
    operationName: 'Item',
    query:
      'query Item($id: ID!, $first: Int = 10) {\n  item(id: $id) { id name ...Price reviews(first: $first) { edges { node { text } } } }\n}\nfragment Price on Item { price { amount currency } }',
    variables: { id: '42', first: 5 },
  }),
  'GraphQL mutation': inJson('/graphql', {
    query:
      'mutation { addComment(input: {subjectId: "MDU6", body: "It\'s fine -- really"}) { commentEdge { node { id } } } }',
  }),
  'GraphQL batch': inJson('/graphql', [{ query: '{ me { id } }' }, { query: '{ cart { total } }' }]),
  'query editor': inJson('/api/sql', { database: 'shop', sql: QUERY_SQL }),
  'query editor with functions': inJson('/api/dashboards/query', {
    rawSql:
      "SELECT date_trunc('day', created_at) AS day, COUNT(*) FROM orders WHERE status IN ('open', 'paid') GROUP BY day ORDER BY day",
  }),
  analytics: inJson('/collect', {
    v: 1,
    tid: 'UA-1-1',
    cid: '123.456',
    t: 'event',
    ec: 'video',
    ea: 'play (auto)',
    dl: 'https://www.example.com/a?b=c&d=e',
    dt: 'Home & Garden | Shop',
  }),
  'error report': inJson('/api/1/store/', {
    exception: {
      values: [
        {
          type: 'TypeError',
          value: "undefined is not an object (evaluating 'a.b')",
          stacktrace: {
            frames: [
              {
                filename: 'https://www.example.com/app.js',
                function: 'onClick',
                lineno: 10,
                context_line: 'document.querySelector("#x").innerHTML = html;',
              },
            ],
          },
        },
      ],
    },
    request: { headers: { 'User-Agent': 'Mozilla/5.0' } },
  }),
  'CSP report': text(
    '/csp',
    'application/csp-report',
    '{"csp-report":{"document-uri":"https://www.example.com/","violated-directive":"script-src","blocked-uri":"inline","script-sample":"var a = 1","original-policy":"script-src \'self\' \'unsafe-inline\'; report-uri /csp"}}',
  ),
  reports: text(
    '/reports',
    'application/reports+json',
    '[{"type":"csp-violation","url":"https://www.example.com/","body":{"blockedURL":"data","effectiveDirective":"img-src","sample":""}}]',
  ),
  'rich text': inJson(
    '/api/pages/3',
    {
      html: '<h2 class="t">Hello</h2><p style="margin:0">Line<br/>two &amp; <em>three</em></p><ul><li><a href="https://www.example.com/?a=1&b=2" target="_blank">link</a></li></ul><img src="https://cdn.example.com/a.jpg" alt="A > B" loading="lazy">',
    },
    'PUT',
  ),
  'rich text with a video': inJson(
    '/api/pages/4',
    {
      html: '<figure><iframe width="560" height="315" src="https://video.example.com/embed/abc?rel=0" title="Video" allowfullscreen></iframe><figcaption>Watch</figcaption></figure>',
    },
    'PUT',
  ),
  'editor operations': inJson('/api/documents/7/steps', {
    version: 12,
    steps: [
      {
        stepType: 'replace',
        from: 1,
        to: 5,
        slice: { content: [{ type: 'text', text: 'if (a < b && c > d) { run() }' }] },
      },
    ],
  }),
  'notebook cell': inJson(
    '/api/contents/a.ipynb',
    {
      type: 'notebook',
      content: {
        cells: [
          {
            cell_type: 'code',
            source: "import pandas as pd\ndf = pd.read_csv('data.csv')\ndf.groupby('city').sum()",
            outputs: [],
          },
        ],
      },
    },
    'PUT',
  ),
  'mail template': inJson('/api/templates', {
    subject: 'Your order {{ order.id }}',
    html: '<p>Hello {{ user.name | default: "you" }},</p>{% for i in items %}<li>{{ i.name }}: {{ i.price | money }}</li>{% endfor %}',
  }),
  'message template': inJson('/api/messages', {
    text: 'Hi ${name}, your code is ${code}. Reply STOP to end.',
    to: '+15550100',
  }),
  workflow: inJson('/api/workflows', {
    on: { push: { branches: ['main'] } },
    jobs: {
      build: { steps: [{ run: 'npm ci && npm test' }, { run: 'echo "done" >> $GITHUB_STEP_SUMMARY' }] },
    },
  }),
  'regular expression': inJson('/api/rules', {
    pattern: '^/(?:blog|news)/[0-9]{4}/.*$',
    replacement: '/archive/$1',
    flags: 'i',
  }),
  'filter expression': inJson('/api/filters', {
    expression:
      '(http.request.uri.path contains "/wp-login.php" and ip.src ne 192.0.2.1) or cf.threat_score gt 10',
  }),
  cron: inJson('/api/jobs', { schedule: '*/15 2-6 * * 1,3', command: 'reindex', timezone: 'Europe/Berlin' }),
  geometry: inJson('/api/shapes', {
    type: 'Feature',
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [13.1, 52.3],
          [13.7, 52.3],
          [13.1, 52.3],
        ],
      ],
    },
    properties: { name: "King's Cross" },
  }),
  'constructor of a car': inJson('/api/cars', {
    constructor: 'Ferrari',
    prototype: '250 GTO',
    class: 'A',
    type: 'object',
  }),
  'keys with dots': inJson('/api/settings', {
    'ui.theme.name': 'dark',
    'class.size': 30,
    $schema: 'https://json-schema.example.com/a.json',
    '@type': 'Person',
    '@context': 'https://schema.example.com',
  }),
  'linked data': inJson('/api/ld', {
    '@context': 'https://schema.example.com',
    '@type': 'Event',
    name: 'Rock & Roll "Live"',
    offers: { '@type': 'Offer', price: '20' },
  }),
  'image in JSON': inJson('/api/avatar', {
    image: `data:image/png;base64,iVBORw0KGgo${'AAAANSUhEUgAAAAUA+/x9'.repeat(30)}=`,
  }),
  telemetry: inJson('/v1/traces', {
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: [
              {
                name: 'SELECT shop.orders',
                attributes: [
                  { key: 'db.statement', value: { stringValue: 'SELECT * FROM orders WHERE id = ?' } },
                ],
              },
            ],
          },
        ],
      },
    ],
  }),
  'long list': inJson(
    '/api/bulk',
    Array.from({ length: 120 }, (_, i) => ({ id: i, name: `Item ${i}`, ok: i % 2 === 0 })),
  ),
  chat: inJson('/v1/chat/completions', {
    model: 'small',
    messages: [
      {
        role: 'user',
        content: 'Explain <script> tags, SQL joins such as SELECT a FROM b, and what "rm" does in a shell.',
      },
    ],
  }),
  'translated text': inJson('/api/i18n', {
    key: 'cart.empty',
    values: {
      de: 'Ihr Warenkorb ist leer.',
      fr: "Votre panier est vide, n'est-ce pas ?",
      ja: 'カートは空です',
    },
  }),
  'contact form': inJson('/api/contact', {
    name: "Aoife O'Sullivan",
    email: 'aoife@example.ie',
    message: "Hi,\n\nI'd like to order 3; is that OK?\n\nThanks -- A.",
  }),
})

const WEBHOOKS = named('webhook', {
  push: {
    ...inJson('/hooks/push', {
      ref: 'refs/heads/main',
      before: '0'.repeat(40),
      commits: [
        {
          message: "Fix #42: don't drop table rows; escape <b>",
          added: ['src/app.js'],
          url: 'https://git.example.com/c/1',
        },
      ],
      repository: { full_name: 'example/shop', clone_url: 'https://git.example.com/example/shop.git' },
    }),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Example-Hookshot/1',
      'x-hub-signature-256': 'sha256=0123',
    },
  },
  payment: {
    ...inJson('/hooks/payment', {
      id: 'evt_1',
      type: 'charge.succeeded',
      data: {
        object: {
          amount: 2000,
          currency: 'eur',
          description: "Children's book (2nd ed.)",
          receipt_url: 'https://pay.example.com/r/1?s=ab',
        },
      },
    }),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Pay/1.0 (+https://pay.example.com/docs/webhooks)',
    },
  },
  'chat command': inForm('/hooks/chat', {
    token: 'x',
    command: '/deploy',
    text: 'api --to staging; then tell #ops',
    response_url: 'https://chat.example.com/r/1',
  }),
  'chat action': inForm('/hooks/chat/actions', {
    payload:
      '{"type":"block_actions","user":{"id":"U1","name":"o\'neil"},"actions":[{"action_id":"approve","value":"42"}]}',
  }),
  'payment notice': inForm('/ipn', {
    payment_status: 'Completed',
    item_name: "Men's T-shirt (L)",
    mc_gross: '19.99',
    payer_email: 'a@example.com',
    custom: '{"order":4}',
  }),
  'mail events': inJson('/hooks/mail', [
    {
      event: 'click',
      email: 'a@example.com',
      url: 'https://www.example.com/?a=1&b=2',
      useragent: 'Mozilla/5.0 (X11)',
      'smtp-id': '<14c5d75ce93.dfd.64b469@ismtpd-555>',
    },
  ]),
  alert: inJson('/hooks/alert', {
    status: 'firing',
    alerts: [
      {
        labels: { alertname: 'HighLoad', instance: '10.0.0.4:9100' },
        annotations: { description: 'load > 5 for 10m & rising', expr: 'node_load1 > 5' },
      },
    ],
  }),
  sms: inForm('/hooks/sms', { From: '+15550100', Body: "Yes! I'll take 2 -- or 3?", NumMedia: '0' }),
})

const MANAGERS = named('content manager', {
  'block editor': inJson('/wp-json/wp/v2/posts/12?_locale=user', {
    id: 12,
    content:
      '<!-- wp:paragraph {"align":"left"} -->\n<p>Hello &amp; welcome, it\'s <strong>us</strong></p>\n<!-- /wp:paragraph -->\n\n<!-- wp:image {"id":4} -->\n<figure class="wp-block-image"><img src="https://www.example.com/wp-content/uploads/2024/05/a.jpg" alt=""/></figure>\n<!-- /wp:image -->',
  }),
  'block editor with code': inJson('/wp-json/wp/v2/posts/13', {
    content:
      '<!-- wp:code -->\n<pre class="wp-block-code"><code>SELECT * FROM wp_posts WHERE post_status = \'publish\';</code></pre>\n<!-- /wp:code -->',
  }),
  heartbeat: inForm('/wp-admin/admin-ajax.php', {
    action: 'heartbeat',
    'data[wp-refresh-post-lock][post_id]': '12',
    screen_id: 'post',
    has_focus: 'true',
    interval: '10',
  }),
  menu: inForm('/wp-admin/nav-menus.php', {
    'menu-item-url[3]': 'https://www.example.com/a?b=c',
    'menu-item-title[3]': "What's new?",
    'menu-item-classes[3]': 'a b',
  }),
  widget: inForm('/wp-admin/admin-ajax.php', {
    action: 'save-widget',
    'widget-text[2][text]': '<p>Open: 9-5 &amp; <a href="/contact">contact</a></p>',
    add_new: '',
  }),
  comment: inForm('/wp-comments-post.php', {
    comment:
      'Nice post! I\'d add: use <code>ORDER BY</code>; see <a href="https://www.example.com">here</a>.',
    author: "D'Arcy",
    email: 'd@example.com',
    comment_post_ID: '12',
  }),
  'scripts of the dashboard': {
    target: '/wp-admin/load-scripts.php?c=1&load%5Bchunk_0%5D=jquery-core,jquery-migrate,utils&ver=6.7',
  },
  'page builder': inForm('/wp-admin/admin-ajax.php', {
    action: 'elementor_ajax',
    actions:
      '{"save":{"action":"save_builder","data":{"elements":[{"id":"a1","settings":{"title":"Say \\"hi\\"","html":"<div class=\\"x\\">y</div>","custom_css":"selector { color: red; }"}}]}}}',
  }),
  'Drupal node': inForm('/node/add/article', {
    'title[0][value]': "Editor's choice",
    'body[0][value]': '<p>Select what you like &amp; go</p>',
    'body[0][format]': 'basic_html',
    form_id: 'node_article_form',
    op: 'Save',
  }),
  'Drupal AJAX': inForm(
    '/node/12/edit?element_parents=field_image/widget/0&ajax_form=1&_wrapper_format=drupal_ajax',
    {
      'field_image[0][alt]': 'A & B',
      form_id: 'node_edit_form',
      _triggering_element_name: 'field_image_0_upload_button',
    },
  ),
  'Joomla article': inForm('/administrator/index.php?option=com_content&layout=edit&id=4', {
    'jform[title]': "It's new",
    'jform[articletext]': '<p>Text</p><hr id="system-readmore" />',
    task: 'article.apply',
  }),
  'Magento product': inForm('/admin/catalog/product/save/id/4/', {
    'product[name]': '3/4" pipe',
    'product[description]': '<p>Pipe &amp; fitting</p>',
    'product[price]': '4.50',
    form_key: 'abc',
  }),
  'Magento cart': inJson('/rest/default/V1/guest-carts/abc/items', {
    cartItem: { sku: "WS-12'", qty: 2, quote_id: 'abc' },
  }),
  'forum topic': inForm('/posting.php?mode=post&f=2', {
    subject: 'Re: select query',
    message: '[quote="bob"]use [code]SELECT 1[/code][/quote] thanks; [url=https://www.example.com]here[/url]',
    post: 'Submit',
  }),
  ticket: inForm('/submitticket.php?step=3', {
    subject: 'Invoice #12 & refund',
    message: 'Hi,\nI can\'t log in; error is "invalid token".\nRegards -- D\'Arcy',
    deptid: '1',
  }),
  'ticket with a file': inMultipart('/submitticket.php', [
    { name: 'message', value: 'See the log (attached).' },
    {
      name: 'attachments[]',
      value: 'GET / 200\nGET /a 404\n',
      filename: 'access.log.txt',
      type: 'text/plain',
    },
  ]),
  'wiki edit': inForm('/index.php?title=Main_Page&action=submit', {
    wpTextbox1:
      "'''Bold''' and ''italic'' text; see [[Help|the help]] {{Infobox|name=A|x=1}} <ref>Book</ref> <nowiki>--</nowiki>",
    wpSummary: 'typo',
  }),
  'theme file': inForm('/admin/theme/save', {
    file: 'css/style.css',
    content: '@media (max-width: 600px) { .a > .b { background: url("../img/x.png"); } } /* end */',
  }),
  translation: inForm('/translate', {
    source: "Don't select more than 10 items",
    target: "Ne sélectionnez pas plus de 10 articles; c'est tout",
  }),
})

const PROTOCOLS = named('protocol', {
  SOAP: text(
    '/soap',
    'text/xml; charset=utf-8',
    '<?xml version="1.0"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><GetPrice xmlns="urn:shop"><Item>A &amp; B</Item></GetPrice></soap:Body></soap:Envelope>',
  ),
  'XML-RPC': text(
    '/xmlrpc.php',
    'text/xml',
    '<?xml version="1.0"?><methodCall><methodName>wp.getPosts</methodName><params><param><value><int>1</int></value></param></params></methodCall>',
  ),
  CalDAV: {
    ...text(
      '/dav/calendars/anna/',
      'application/xml; charset=utf-8',
      '<?xml version="1.0"?><d:propfind xmlns:d="DAV:"><d:prop><d:displayname/></d:prop></d:propfind>',
      'PROPFIND',
    ),
    headers: { 'content-type': 'application/xml', depth: '1', 'user-agent': 'Calendar/1.0' },
  },
  iCalendar: text(
    '/dav/calendars/anna/1.ics',
    'text/calendar',
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nSUMMARY:Dinner; with O'Neil\r\nLOCATION:King's Road\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
    'PUT',
  ),
  'plain text': text(
    '/paste',
    'text/plain',
    'Notes for Monday:\n- call Anna; ask about invoice #12\n- order 3 & return 1\n- 2 + 2 = 4\n',
  ),
  'Markdown page': text(
    '/pages/a.md',
    'text/markdown',
    '# Title\n\nUse `SELECT` to read. See <https://www.example.com>.\n\n```sh\nls -la | head\n```\n',
    'PUT',
  ),
  'form without type': { method: 'POST', target: '/ping', body: 'ok' },
  preflight: {
    method: 'OPTIONS',
    target: '/api/items',
    headers: {
      origin: 'https://app.example.com',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type, authorization, x-requested-with',
    },
  },
  HEAD: { method: 'HEAD', target: '/downloads/big.iso' },
  range: { target: '/video.mp4', headers: { range: 'bytes=1048576-2097151', 'if-range': '"abc"' } },
  conditional: {
    target: '/a.css',
    headers: { 'if-none-match': 'W/"3f9a"', 'if-modified-since': 'Wed, 01 May 2024 10:00:00 GMT' },
  },
  WebSocket: {
    target: '/ws',
    headers: {
      connection: 'keep-alive, Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
    },
  },
  'gRPC-web': {
    method: 'POST',
    target: '/shop.Catalog/Get',
    headers: { 'content-type': 'application/grpc-web+proto', 'x-grpc-web': '1' },
    octets: '\u0000\u0000\u0000\u0000\u0005\u000a\u0003abc',
  },
  protobuf: {
    method: 'POST',
    target: '/v1/metrics',
    headers: { 'content-type': 'application/x-protobuf' },
    octets: '\u000a\u00c3\u0001\u0012\u0004name\u0018\u00ff\u0001',
  },
  compressed: {
    method: 'POST',
    target: '/collect',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    octets: '\u001f\u008b\u0008\u0000\u0000\u0000\u0000\u0000\u0000\u0003\u00abV*K\u00cc)M\u0005\u0000',
  },
  'binary file': {
    method: 'PUT',
    target: '/files/a.bin',
    headers: { 'content-type': 'application/octet-stream' },
    octets: Array.from({ length: 600 }, (_, i) => String.fromCharCode((i * 73 + (i >> 3)) % 256)).join(''),
  },
  chunked: {
    method: 'POST',
    target: '/api',
    headers: { 'transfer-encoding': 'chunked', 'content-type': 'application/json', 'content-length': null },
    body: '{"a":1}',
  },
  'health check': {
    target: '/healthz?verbose',
    headers: { 'user-agent': 'kube-probe/1.29', accept: '*/*', 'accept-language': null },
  },
  monitor: {
    target: '/',
    headers: {
      'user-agent': 'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
      accept: '*/*',
    },
  },
  'feed reader': {
    target: '/feed.xml',
    headers: {
      'user-agent': 'Feedly/1.0 (+http://www.feedly.com/fetcher.html; 12 subscribers)',
      accept: 'application/rss+xml, */*;q=0.1',
    },
  },
  forwarded: {
    target: '/',
    headers: {
      'x-forwarded-for': '198.51.100.7, 203.0.113.9',
      'x-forwarded-proto': 'https',
      via: '1.1 proxy.example.com (squid/5.7)',
      forwarded: 'for=198.51.100.7;proto=https',
    },
  },
  'client hints': {
    target: '/',
    headers: {
      'sec-ch-ua': '"Chromium";v="131", "Not_A Brand";v="24"',
      'sec-ch-ua-platform': '"Windows"',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-site': 'none',
      'upgrade-insecure-requests': '1',
    },
  },
  'basic credentials': { target: '/private', headers: { authorization: 'Basic YW5uYTpzM2NyM3Q=' } },
  'bearer credentials': {
    target: '/api/me',
    headers: { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.abc-_' },
  },
  'script of the page': {
    ...inForm('/ajax/save', { text: 'It\'s <b>bold</b> & "quoted"', id: '4' }),
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'x-requested-with': 'XMLHttpRequest',
    },
  },
  'old browser': {
    target: '/',
    headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko' },
  },
  console: {
    target: '/status.xml',
    headers: { 'user-agent': 'Roku/DVP-12.0 (12.0.0.4182-88)', accept: null, 'accept-language': null },
  },
})

export const API_REQUESTS: readonly NamedRequest[] = [
  ...QUERIES,
  ...LOG_INS,
  ...JSON_APIS,
  ...WEBHOOKS,
  ...MANAGERS,
  ...PROTOCOLS,
]
