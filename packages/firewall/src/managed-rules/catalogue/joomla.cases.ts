// For each rule of joomla.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get, upload } from './sample-requests.cases.ts'

export const JOOMLA_SAMPLES: RuleSamples = {
  '9bd374d1f08840f252e5a6107f050c57': {
    matching: get('/', { 'user-agent': '}__test|O:21:"JDatabaseDriverMysqli":3:{s:2:"fc";}' }),
    passing: get('/', { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) O:1' }),
  },
  '190bbe361dcb105b75fe2065ae565401': {
    matching: get(
      '/index.php?option=com_contenthistory&view=history&list[select]=(select+1+from+x)&item_id=1',
    ),
    passing: get('/index.php?option=com_content&view=category&list[fullordering]=a.title+ASC'),
  },
  faae7044bb4cafe8716045e4a463996f: {
    matching: form('/index.php?option=com_users&task=user.register', 'user[name]=a&user[groups][]=7'),
    passing: form(
      '/index.php?option=com_users&task=registration.register',
      'jform[name]=a&jform[email1]=a@example.com',
    ),
  },
  ebc389134cd31e97dbd57fcb4c540bcf: {
    matching: get('/api/index.php/v1/config/application?public=true'),
    passing: get('/api/index.php/v1/content/articles?public=true'),
  },
  '6e8c1a5821c2e26c877a6275206af6ea': {
    matching: upload('/index.php?option=com_foxcontact&view=upload', 'a.php', 'x'),
    passing: upload('/index.php?option=com_media&task=file.upload', 'a.png', 'x'),
  },
  '0aa9f094418479a7467535ddd5833b2c': {
    matching: get('/index.php?option=com_gallery&controller=../../../etc/passwd%00'),
    passing: get('/index.php?option=com_gallery&url=https://www.example.com/'),
  },
}
