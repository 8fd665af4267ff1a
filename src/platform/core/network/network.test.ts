/** Addresses are counted by the network of one customer. */
import { describe, expect, it } from 'vitest';
import { networkOf } from './network.ts';

describe('networkOf', () => {
  it('returns an IPv4 address unchanged, even if it is written as IPv6', () => {
    expect(networkOf('203.0.113.9')).toBe('203.0.113.9');
    expect(networkOf('::ffff:203.0.113.9')).toBe('203.0.113.9');
    expect(networkOf('::ffff:cb00:7109')).toBe('203.0.113.9');
    expect(networkOf('203.0.113.9')).not.toBe(networkOf('203.0.113.10'));
  });

  it('groups the addresses of an IPv6 /64, however they are written, and no others', () => {
    const network = networkOf('2001:db8:1:2::1');
    expect(network).toBe('2001:db8:1:2::/64');
    for (const same of [
      '2001:db8:1:2::2',
      '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff',
      '2001:db8:1:2::%eth0',
    ]) {
      expect(networkOf(same), same).toBe(network);
    }
    for (const other of ['2001:db8:1:3::1', '2001:db8:2:2::1', '::1'])
      expect(networkOf(other)).not.toBe(network);
  });

  it('returns anything else unchanged', () => {
    expect(networkOf('unix')).toBe('unix');
    expect(networkOf('')).toBe('');
  });
});
