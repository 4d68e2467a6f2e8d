// For each rule of sql-injection-attacks.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get, json } from './sample-requests.cases.ts'

export const SQL_INJECTION_ATTACKS_SAMPLES: RuleSamples = {
  a572c652ce304d275b714296fde117f8: {
    matching: get('/item?id=1%20UNION/**/ALL%20SELECT%20null,null'),
    passing: get('/item?q=credit%20union%20or%20select%20bank'),
  },
  '7eb368fda5663eeff601486cb021987e': {
    matching: form('/login', "user=x' OR 'a'='a&password=x"),
    passing: get("/search?q=rock 'n' roll and soul"),
  },
  '428d3751feac0f6222a0e3f97e3b61c2': {
    matching: get('/item?id=1+AND+1%3D1'),
    passing: get('/item?title=chapters+1+and+2'),
  },
  '2a8eb2792323af3b865da5440161f8b5': {
    matching: get('/item?id=1%27)%20or%20(%27x%27=%27x'),
    passing: json('/notes', '{"text":"use class=\\"a\\" or id=\\"b\\""}'),
  },
  bbce7c5492220bfc4e687c694818e5e7: {
    matching: get('/item?id=1;waitfor%20delay%20%270:0:5%27--'),
    passing: get('/blog?q=how+to+sleep+8+hours'),
  },
  f5b04fd3eba36cfd629d39699e2ed7b0: {
    matching: get("/item?id=1';DROP TABLE users"),
    passing: json('/notes', '{"text":"first choose; select what you like; drop the rest"}'),
  },
  '7ec0027a2c7e73f03c2e513681f4bff2': {
    matching: form('/login', "user=admin'--&password=x"),
    passing: json('/notes', `{"text":"it's all said -- or is it?"}`),
  },
  '86b7f99883411f88d4895c62cfd48f9f': {
    matching: get('/item?id=-1+union+select+table_name+from+information_schema.tables'),
    passing: get('/docs?q=schema+of+information'),
  },
  '039797172f5d40f4b244063fb804f4c2': {
    matching: get('/item?id=1+and+substring(user(),1,1)=%27r%27'),
    passing: json('/notes', '{"text":"call user() to get the current user"}'),
  },
  c427bd7d9519bb8d5525855e33ce13aa: {
    matching: get('/item?id=1+and+extractvalue(1,concat(0x7e,(select+1)))'),
    passing: json('/notes', '{"text":"concat(a, b) joins; substring(a, 1, 2) cuts"}'),
  },
  '33bbadf3daae4316d31bc0b4b56c1a23': {
    matching: get("/item?id=1+union+select+1,2+into+outfile+'/var/www/x.php'"),
    passing: get('/docs?q=turn+into+outline'),
  },
  eac1ec8b4f6efcfdffef3f1753cbc070: {
    matching: get('/item?id=1%27%20order%20by%2010--%20'),
    passing: get('/list?sort=order+by+date'),
  },
  '8272bdcec323bc7bad0b2b62a934e5ed': {
    matching: get('/item?id=1+and+(select+count(*)+from+users)>0'),
    passing: get('/help?q=options+(select+one)+from+list'),
  },
  '4e7f7af29c3bf39333d8060b23014751': {
    matching: get('/item?id=1+and+ascii(substr((select+password),1,1))>64'),
    passing: json('/notes', '{"text":"length and width (in mm) or version (any)"}'),
  },
  '1180203ea6db8ddd430b5eb96c3394fe': {
    matching: get("/item?id=1;exec+master..xp_cmdshell+'whoami'"),
    passing: get('/docs?q=configure+password+procedure'),
  },
  '0e6893491bfb9f4bdee09009607410b4': {
    matching: get('/item?name=x%27+limit+1,1--'),
    passing: get("/search?q=the 'union' of artists"),
  },
  a696287489f67e8834e01833421cfeb7: {
    matching: get('/item?id=1/*!50000union*/select/**/1'),
    passing: json('/styles', '{"css":"/*! reset */ a { color: red } /* or */ b {}"}'),
  },
  '926dbb3af904f71ffd2646cb55dbdfdb': {
    matching: form('/login', 'user=admin%27+or+true&password=x'),
    passing: form('/login', "user=o'brien&password=x"),
  },
  '8cfc7e5a298baced85c95b936269aa09': {
    matching: get('/item?id=select+password+from+users'),
    passing: get('/shop?q=select+size'),
  },
  '2ab30e630c17baa7ef0c86c3776f6636': {
    matching: get("/item?id=x'; update users set admin=1"),
    passing: get('/news?q=update+on+the+new+set+of+rules'),
  },
  '2b6e922d0dab339f6600a4e5929f923d': {
    matching: get('/item?sort=case+when+(1=1)+then+id+else+name+end'),
    passing: get('/help?q=in+case+of+fire'),
  },
  '061eebec358014ef1bd608be6e53ba18': {
    matching: get('/item?id=1+union+select+0x61646d696e3a'),
    passing: get('/color?rgb=0xff8800'),
  },
  ddea1d9162e58f4e7978f204bbb446dd: {
    matching: get("/item?name=adm'||'in"),
    passing: get("/search?q='80s + '90s"),
  },
  b12673352d61a1ee69118bb515f66454: {
    matching: get("/item?name=a'+like+'%25a"),
    passing: get("/search?q=what's it like in Rome"),
  },
  '6a9a25b6bc856738218f88e0cd96f69c': {
    matching: get(`/item?id=1+or+json_extract('{"a":1}','$.a')=1`),
    passing: json('/notes', '{"text":"encode with JSON and extract the keys"}'),
  },
  '662ee2da1e9b9d0ef699f8ba881ada4a': {
    matching: get('/item?name=x%2527%20or'),
    passing: get('/item?name=x%27s'),
  },
  '132fb7a5037c1134ccbba876792c32fb': {
    matching: get('/item?id=12+and+user_id+is+not+null'),
    passing: get('/item?id=12&note=one+and+only'),
  },
  '80a0b3fe9297e6aa73401678d7df7b53': {
    matching: get('/item?id=12--%20'),
    passing: get('/item?range=12--14'),
  },
  '591c8ce69b88f0f5f7d0d65ef43468cc': {
    matching: get(`/item?q=a'b"c'd"e;f'g"h;i`),
    passing: get("/item?q=o'brien;o'neill"),
  },
  ed2ffd2edcfa829b3cd0ad4de8fe816d: {
    matching: get('/item?id=12%27'),
    passing: get("/item?name=o'brien"),
  },
  f6ac4329c23a0a09826bd2ee678783c4: {
    matching: { headers: { cookie: "id=1'" } },
    passing: { headers: { cookie: 'id=1' } },
  },
  e0dad96ad53dcaa0e20aeb9cbba6d67b: {
    matching: get(`/item?q=a'b"c;`),
    passing: get("/item?q=o'brien"),
  },
}
