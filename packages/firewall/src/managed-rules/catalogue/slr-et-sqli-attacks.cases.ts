// For each rule of slr-et-sqli-attacks.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get } from './sample-requests.cases.ts'

export const SLR_ET_SQLI_ATTACKS_SAMPLES: RuleSamples = {
  '1bca05c62b4932053670d66bc93b7c2a': {
    matching: get('/view.php?id=-5+union+select+1,2,3'),
    passing: get('/view.php?id=5-orange'),
  },
  '996d580142160b8276688e9fe6bd47f6': {
    matching: get('/view.php?id=5%27'),
    passing: get('/view.php?id=5'),
  },
  '2904aa1eb51834dce017a9bd26656e1e': {
    matching: form('/login.php', 'username=admin%27%23&password=x'),
    passing: form('/login.php', 'username=conan.o%27brien&password=x'),
  },
  '2a344118211224ce5a709912fec4459b': {
    matching: get('/list?sort=(case+when+1=1+then+id+end)'),
    passing: get('/list?sort=price-asc&order=name,desc'),
  },
  f71e33f3ffc3d2702325df3da3fa7d34: {
    matching: get('/news.php?nid=3+and+1=2'),
    passing: get('/news.php?nid=3&title=now+and+then'),
  },
  bbce65a1b267a3b224be82fa7e926499: {
    matching: get('/', { 'x-forwarded-for': "127.0.0.1'+(select(0)from(select(sleep(5)))v)+'" }),
    passing: get('/', { 'x-forwarded-for': '198.51.100.4, 192.0.2.9' }),
  },
}
