/** The addresses of github.com, of GitHub with data residency (`*.ghe.com`) and of GitHub Enterprise Server. */
import { webAddress } from '../web-address.ts';

export interface GitHubAddresses {
  /** The address for people, without a slash at the end. */
  web: string;
  /** The common base of both APIs. */
  base: string;
  restPrefix: string;
  graphqlPath: string;
}

export function githubAddresses(url: string): GitHubAddresses {
  const web = webAddress(url);
  const { hostname } = new URL(web);
  const isCloud = hostname === 'github.com' || hostname.endsWith('.ghe.com');
  return isCloud
    ? { web, base: `https://api.${hostname}`, restPrefix: '', graphqlPath: '/graphql' }
    : { web, base: `${web}/api`, restPrefix: '/v3', graphqlPath: '/graphql' };
}
