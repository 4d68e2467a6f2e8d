// For each rule of uri-sql-injection-attacks.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get } from './sample-requests.cases.ts'

export const URI_SQL_INJECTION_ATTACKS_SAMPLES: RuleSamples = {
  d21d1434925f31ec20f30147d6d44f1f: {
    matching: get('/item/1+union+select+1,2'),
    passing: form('/item', 'q=1+union+select+1,2'),
  },
  ced418db4e00ed746319ea33ddc0e5bf: {
    matching: get("/item/1'or'1'='1"),
    passing: get('/item?title=salt+or+pepper&page=2'),
  },
  '4839c04fcdab445ec025cddb6e270efa': {
    matching: get('/item?q=1&x=from%20information_schema.tables'),
    passing: get('/docs/information/schema'),
  },
  '3de3d4e432d7bc5c16df518f5947002f': {
    matching: get('/item/1%20and%20sleep(5)'),
    passing: get('/guides/sleep-5-tips'),
  },
  '1439d3df12165e0d53096881a43e8e9d': {
    matching: get('/item/1;drop%20table%20users'),
    passing: get('/item;jsessionid=4?select=all'),
  },
  '8c866ed4a7e8d99d9fd37c5d1ae68903': {
    matching: get('/item?x=(select%20password%20from%20users)'),
    passing: get('/select/shoes-and-bags'),
  },
  '6a2691d1618fc62a45741eac02b4d777': {
    matching: get('/item?id=1-ascii(substring(x,1,1))'),
    passing: get('/convert/mp3-to-wav?cast=no'),
  },
  b07df136707f865e35a50dfcb5ae7da4: {
    matching: get('/item?id=1%27)--+-'),
    passing: get('/item/o%27brien'),
  },
  a6c3e8aef7be81ae20c35efc837efc7a: {
    matching: get('/item?id=4%20order%20by%207'),
    passing: get('/list?order=by+date'),
  },
  '68e7b6e988fba60779a69161ede1d582': {
    matching: get('/item?id=12%27'),
    passing: get('/item?name=o%27brien'),
  },
}
