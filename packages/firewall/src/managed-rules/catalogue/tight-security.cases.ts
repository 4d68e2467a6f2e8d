// For each rule of tight-security.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { get, json } from './sample-requests.cases.ts'

export const TIGHT_SECURITY_SAMPLES: RuleSamples = {
  faacae9b1f762bca22aa08ee80bd8c7a: {
    matching: get('/view?f=..%5c..%5cweb.config'),
    passing: get('/view?f=../style.css'),
  },
  '65e591860c2dcbebd7b16f4b34882eb9': {
    matching: get('/static/%2e%2e/%2e%2e/etc/hosts'),
    passing: get('/static/v1..2/app.js'),
  },
  '7b387505855ff22b348b34ee0e3400e1': {
    matching: get('/static/../../x'),
    passing: get('/static/x..y'),
  },
  '9262884f0bc94bb2c9e707e07834f017': {
    matching: get('/app/..;/manager/html'),
    passing: get('/app/list;page=2'),
  },
  b05813256f87d4cf745245e196faf76a: {
    matching: get('/view?f=..%252fconfig.php'),
    passing: json('/posts', '{"text":"wait.../ no"}'),
  },
  '87c27c61bc78a4dff587bd58e5e3558e': {
    matching: get('/view?f=/var/www/html/index.php'),
    passing: get('/view?f=/variants/blue'),
  },
  '9e2532680c221ef32dd28d96544c0b2b': {
    matching: get('/default.asp::$DATA'),
    passing: get('/console/auxiliary.html'),
  },
  '9b840593552cbe96ff494bd0d32c2690': {
    matching: get('/a%5cb'),
    passing: get('/a/b'),
  },
}
