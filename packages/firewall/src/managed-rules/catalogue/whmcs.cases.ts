// For each rule of whmcs.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get, upload } from './sample-requests.cases.ts'

export const WHMCS_SAMPLES: RuleSamples = {
  '70b9e9f7311d766dd4fc5157c773abc0': {
    matching: form('/register.php', 'firstname=AES_ENCRYPT(1,1),+firstname=(SELECT+1)'),
    passing: form('/register.php', 'firstname=Aes&lastname=Encrypt'),
  },
  '7a29ebd53b985ae13fd72225797bf79e': {
    matching: get('/viewticket.php?tid=1&c=x%27+union+select+password+from+tbladmins--+-'),
    passing: form('/submitticket.php', 'subject=Select+a+plan&message=Terms+1+and+2'),
  },
  a355caf67bb2743cc39548dc076d8949: {
    matching: form('/submitticket.php', 'subject=a&message={php}eval(base64_decode(1));{/php}'),
    passing: form('/submitticket.php', 'subject=a&message=We+use+{name}+here'),
  },
  '0e9ba6f7f1658f2d124d864dc68fb368': {
    matching: get('/cart.php?a=byroe&templatefile=../../../configuration.php%00'),
    passing: get('/cart.php?systpl=six&language=english'),
  },
  '0176327b25816ef24287095b4b16da1b': {
    matching: upload('/submitticket.php', 'log.php', 'x'),
    passing: upload('/submitticket.php', 'log.txt', 'x'),
  },
}
