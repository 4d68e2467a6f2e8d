// For each rule of slr-et-xss-attacks.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get } from './sample-requests.cases.ts'

export const SLR_ET_XSS_ATTACKS_SAMPLES: RuleSamples = {
  f6a8211d631b6e24b0c6dc156038b029: {
    matching: get('/search?q=%22%3E%3Csvg/onload=alert(1)%3E'),
    passing: get('/search?q=%22exact+words%22'),
  },
  '79f861b45601926d5e331c768c13b8ba': {
    matching: get('/login?next=java%0dscript:alert(1)'),
    passing: get('/login?next=/data:latest'),
  },
  '6d4569eee6eefb2e4173c8434147535c': {
    matching: get('/api?callback=alert(1)//'),
    passing: get('/api?callback=jQuery3510_17000.handle'),
  },
  a5b9f899e7ef080f6a8b0440862fa4e2: {
    matching: form('/contact.php', 'topic=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E'),
    passing: form('/contact.php', 'topic=Image+on+error+page'),
  },
  '90294dbd75b99dff0eade6d650c458e9': {
    matching: get('/', { referer: 'https://www.example.com/?q="><script>alert(1)</script>' }),
    passing: get('/', { referer: 'https://www.example.com/?q=javascript' }),
  },
}
