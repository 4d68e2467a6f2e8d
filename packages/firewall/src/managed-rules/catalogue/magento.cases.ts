// For each rule of magento.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { form, get, json, upload } from './sample-requests.cases.ts'

export const MAGENTO_SAMPLES: RuleSamples = {
  '999514539691cb9ce83a32e4966a7a59': {
    matching: form('/index.php/admin/Cms_Wysiwyg/directive/index/', '___directive=e3tibG9jayB0&forwarded=1'),
    passing: form('/index.php/admin/cms_page/save', 'title=directive'),
  },
  '75c6d28f37935f11762ca0c28459268d': {
    matching: get(
      '/catalog/product_frontend_action/synchronize?type_id=recently_products&ids[0][product_id][from]=?&ids[0][product_id][to]=)))+OR+(SELECT+1+UNION+SELECT+2)--+-',
    ),
    passing: get('/catalogsearch/result/?q=salt+and+pepper+1+or+2'),
  },
  a1208c861995de24e3090ce14a1bd847: {
    matching: json(
      '/rest/default/V1/guest-carts/1/shipping-information',
      '{"street":"{{var this.getTemplateFilter().filter(x)}}"}',
    ),
    passing: json(
      '/rest/default/V1/guest-carts/1/shipping-information',
      '{"street":"{{var customer_name}} Road 5"}',
    ),
  },
  '7349c77080cb0d1ce18c6ee5686576d2': {
    matching: get('/app/etc/local.xml'),
    passing: get('/variety/log/cabin.html'),
  },
  '01e8a2ee65ccca673e075474ec7d179c': {
    matching: upload('/checkout/cart/add/product/5', 'print.phtml', 'x'),
    passing: upload('/checkout/cart/add/product/5', 'print.png', 'x'),
  },
  '1c7d09a2f74ffaa0798914481feb43b0': {
    matching: json(
      '/rest/V1/guest-carts/1/set-payment-information',
      '{"additional_data":"O:13:\\"Credis_Client\\":22:{}"}',
    ),
    passing: json('/rest/V1/guest-carts/1/set-payment-information', '{"additional_data":"Mage and Zend: 2"}'),
  },
}
