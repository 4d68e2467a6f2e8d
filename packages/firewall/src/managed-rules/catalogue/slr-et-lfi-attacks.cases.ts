// For each rule of slr-et-lfi-attacks.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { get } from './sample-requests.cases.ts'

export const SLR_ET_LFI_ATTACKS_SAMPLES: RuleSamples = {
  c119e516674f031236a43ca36d238eae: {
    matching: get('/index.php?page=..%2f..%2fconfig'),
    passing: get('/index.php?page=about/team'),
  },
  '98544c114a6d335b61981d426a192308': {
    matching: get('/index.php?file=/etc/passwd'),
    passing: get('/index.php?file=etc-report.pdf'),
  },
  '6275a2fb88be4aa6a12e28995c63d2a3': {
    matching: get('/index.php?page=config%00.html'),
    passing: get('/index.php?page=config%20a.html'),
  },
  '6f8042c149f9f25f765f1f7716181a27': {
    matching: get('/download.php?file=wp-config.php'),
    passing: get('/download.php?file=brochure-2025.pdf'),
  },
  '0af349e959f8393ee079c5bd33a13d67': {
    matching: get('/index.php?page=php://filter/convert.base64-encode/resource=index'),
    passing: get('/index.php?page=php-basics'),
  },
}
