// For each rule of plone.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get } from './sample-requests.cases.ts'

export const PLONE_SAMPLES: RuleSamples = {
  '0992453bf7ac23a11d476cf6127cc30a': {
    matching: get('/p_/webdav/xmltools/minidom/xml/sax/saxutils/os/popen2?cmd=id'),
    passing: get('/p_/webdav'),
  },
  '4bd3b303d471c5d63cf8da871fc60ad6': {
    matching: form('/acl_users/manage_users', 'submit=Add&name=a'),
    passing: get('/manage_portlets'),
  },
  '344a63dc9235b22fcb2eccbcdf7d7d06': {
    matching: get('/front-page/im_func/func_globals'),
    passing: get('/front-page/image_view_fullscreen'),
  },
  a8b098310e14ca5fda486670343f5ce3: {
    matching: form('/edit', 'text=python:modules[%22os%22].system(%22id%22)'),
    passing: form('/edit', 'text=python:+a+language'),
  },
  f1ee09c24ec0382789700fe445996d95: {
    matching: get('/@@search?SearchableText=%3Csvg/onload=alert(1)%3E'),
    passing: get('/@@search?SearchableText=%22script%22'),
  },
}
