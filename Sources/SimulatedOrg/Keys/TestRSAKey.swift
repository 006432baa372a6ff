// RSA keys that the org signs challenges with. Making a key takes seconds, so these are made once and for all.
//
// THROW-AWAY TEST KEYS, PUBLISHED WITH THIS SOURCE: they protect nothing, and nothing but a simulated org may use them.

import CryptoExtras
import Foundation

/// The four test keys, each read when it is first used.
enum TestRSAKey {
  /// The first key of the org itself.
  static let organizationFirst = SigningKey(
    base64: """
      MIIEowIBAAKCAQEAllxQ5SoUin7vwgOjUWMOYALX6+YK3ELP1viaCkqJ8fmoippWEpv09+q5BB0KMNcEoatY1Q9o7lvTkGMRpCl4B8hY5qoYeV
      PlcqSPgkwm+MupwwrH2TRc8ghaKSIe5obbxTrXK9ygdWMcpPEhkr+hEyPFRkZsZcLUPTkQEPul8+maSquralRKvwKvFJ+xXQutJfavrFacex4a
      TVhqx3/IA96o75euOyMBeYs24XOqySoAsCsQtObg+PUGfhua2KgNF90g9CR9UJUlzhP9M+2RNmt4zpGmSN8qtb0Vb054laQo9BUMIf7+k8PNXk
      kVK07tBxbfeQusIDCURxj7257WRQIDAQABAoIBACPhznVN1D6T2dQfSaGBxduwOgaD7KoRMKfQxnP3w1ExXuEKwUkqGizywSnj4ztyCJsrOKUJ
      yyT82XFuzvYx5kDXNS4AwBvuI0a3Uj8KPM+pTK8surIRLrAcwaVozN5/JuG7r786JLm2yA5ts/EhFYerhOfHJRWox7z/id+/qiQZiNZh3jM+ZK
      Bihi8f5//ytpgJNKFaSyV2r6bNk8nGy0imTcb1+f35IO8590g8fpKx6ehMybiXjgAoq7cFC9V6qQKW308nIJsp/vsSI5am9HVOf0j5kGhFuRdx
      0HZMRuw8Kx9NtcZASHyml/xOTzjhf8x2WTPRMF3WcTN7bqlHqOECgYEAzd98vo7R1bdZBf8ynG6yTwirVke0urlYyqA6Haf8f6Em3/CbtQt2uy
      XUf6fb/VHM4GNl27q8umCHuFYMIb2BGzbcSP9t4eDN3pfBBvyn6Bozh9u5oTX6xkyWYGXTRiVs1IMjqOjkvpFt5PnNjxnCnvQG4dOCYwPKAR11
      157ddiECgYEAuvie3UGjvqWjINiIm4clYFg7id4axqA9CX8Lm1zxULOmmGOu+whYdPzoqxWaCazlt0el21MVD/21ajedTgo9SswGW3sariQgG6
      Axof/B6ZTnkOgXl9UxYDBi+T4xNi/BWxqIMZ92WhoHGWOp0U2vw7Y1n51i8ouh1zQvQxz1U6UCgYEAs572W9yIQAtEZPMP2WTLtiE+PH07tl7Y
      lZHOoulaaJDWNjTb5c4mvYp4KRjv28lvE6glytzWpVZrk+2fkCCjcHchI5+Y46ccd8W36LywUtXpd/PBtmI+dp2D5n9xIpasqY3xowHv8kU4uL
      srGlvDbqRDDO1ZqcI4kVh+5K37U4ECgYBhFl7wB3ius7YMhUQSds/6wnZQNevzfhuTxcvSJiYMwOzeLs0a/49nWDi9Nh9hrM0wKd0/EVpbjmPY
      vv5JGtoO7/jRIhCNoqalkb6UH4mi8DZ6sXom1oaoKxgJ0ridKZke5J0aH3LGgMN09KKm089UMlaQBprt1YH5jNiJ4gymHQKBgB/0HYk0HRieru
      QWmj82hEqPdCE5+daWyAVH+OoPiPtVZFaWgG8dkVVqHWB7nnuhHqg8aIcgZpbkC2m0/4J2jnIVPKCcS8JxuwB6knWCXqhmcNt1v1RBF3kmQitO
      RQLzDnkVExQs2WXgDxN9c8B5NYUrv2WlLP+cBhUh6Ksk948G
      """)

  /// The key that the org signs with after a rotation.
  static let organizationSecond = SigningKey(
    base64: """
      MIIEogIBAAKCAQEAxANRITVp8sm83gkynVp1/Sg8/jXIV1JPKZqRCNMXfAzzg/sNBanBEX1nNHnD6p0cIOq+MqjQha10lm7H3K/vBZwdRb0fww
      cUtBfkZRWCz/lwco6+ut1Nc5327wZxMeOrOXIHi1xsopGMlMlYvcwh5ZWtlUBF2/IID9hPcM/Gr5Yj546V55S37UFw0goMF84p20yQa0RY4els
      C+EwLGPo2CWMgvFLzu7FZZHbMEVkjL5wpSAiByTbyDSduiHaQlppTN2f45W9wQ2nJ8IBeEEbxfKPPRzsNkyTE2hP21DGNLFdIFBCUm6qvFjnpd
      dZJoSnc2YxysT4EGID2RHebgVlaQIDAQABAoIBABAuburlKDEvFsykqT1Eu8NRqFFbGsYcqSTX2fvGw2ROBGdjmQRb6nCZb+Ts3W/XlvwfrOJt
      PcOfWWXW0OCG1J5bsC3y6jWVNtAUPdpbb4BgSPhoENZH0S5HftxmJX+XGipEn9tRHrW/+sFIqu8GNFEp7VnKI8o/vYsjUhGP0YjqoKcfMnjWhX
      GUX/JhDmmi/1vCERCpLdUxhsYI2EregW1+9W2bBF/4IorAhmQUXQ4xcMmiSEclXnq5UFRO0pkxgj3xevAcH0fdX+PTG/VXVw4Ngb148/rHHB0z
      E3P/2azavF/BpvqBkaZd99tw+29O0lqmxyVLAtqqMnHBAv9hVbUCgYEA+kiCnzTTwtNos872HEm7X2gR5tgwfzzROlHcKz65Xl0JXzxOrs3xXO
      gPzdv9DrHsBv75luXcOSWzaKh3e7FoRTwrV/W+V2eqOwFXlko1tdvTuvBpdgw3Gcqy3v0D3ybCb4jCTaqOMaC5MWzLz6g+0UNX7abjAfNja6Zp
      Xi9ujoUCgYEAyH14XSOhUvlrRJCd0XcboKsdYZT1bN4ng87VcBGmIFjzv2C1tPWD0DEue4DX/DV7jOKhhqx5KlZVS0djLzxrdFR35Y0xP89Czv
      +4xmkYNtm1y0ZW6R+WQ/paiV0MxGJ1ZNUsL7lq57c+780AwSkWyJLHExqc4e+RM/IwqEGySpUCgYBIRhoaOVoRP5VTnycowg3unhHVVIakp35P
      1gW7IzDKVBl5u+OIzQWu64Bs1OL9lFlxJ74RWi0+/2kQht2CBZfzrk1h6B/gA5p/0YJmbuWVr3Yz3GrH4P0kYIlIpU2x6fJp3NcnMGJBaIUyBZ
      XRUGdbbJP+l5ukG5GRK4vv28iUNQKBgEu6KKZ1eM/QadXiEdo2dPcA6v4at4DBgIdmrnPAFtGNB7Q3oSqSuZD/oqD/j5Ux1lLmn0AxESsOpPTk
      J/CFj8jGxuqro/iIHqH1MSOwOnctUF9RWC6Bwc43V88emF3tGo5VfnUgQeL38gu9kRVkobhsyEjM+ojUZjIKvpovBlrpAoGAPDnN0bUmLYX+no
      v3jQ5cssXHg9Ju5qyu0vhSGmHNS+2/yXEYb5xUwTENHtIDfoSk0NdkWbwV4XZ4niDm2XFgaxjPSU87i7nxM/eQ6rm8alpNKQmenfxfhxRZCWNU
      QgTLKkqYKh3NeoPD7/WNS9bUtgnY0BPnVbEuSc87YtNx8z4=
      """)

  /// The first key of custom authorization servers.
  static let serverFirst = SigningKey(
    base64: """
      MIIEpAIBAAKCAQEA8RhGQz5j6yz5FfPtB+NfJz33EybkYtgS5DbpcBzQpykfG57i1tS1pelOK5kT1z8qZjIpaW1YUDnNte/0/Qk2Y8T2zM82H0
      RJ996DHF7FMjCl0fvpK21Myr/4UA76SpV/PBytEUpzpTvARyvh7R92xNNDn6gLbc0bhnFiWr0gKfINgr6g4T20JfTekl9I2LdlTCaPLNZ4XoA9
      jHuFYi2mNYp9d6imL46iIgd1SySpqfok44cccIzNdbplI+ImzR5qQIk8ejpL4zjlTdBdg2E2kQRo4pTDVP7rvevIrh213Og+EqE89871nbR6Il
      tbeuQn39MT3Rqh8EDOENMwDXMYKwIDAQABAoIBABIHu+Af2dlxdxKpDS3HrMriq510jU7xFCnvYLIq4tXQJvc/Viff0ifdafmrtzFOlC1UDLHJ
      j3m3IPG9ch0Ro84pTEBmh13Q6Gvk6aQ6WCqtOwbC/UiV93tliOdKf3W1dsWi6rR+KhDjhjksXcyIdlmOPSKYWXvK2NygknebvjyKAZq5DOoqQj
      qS+rKFcHadYmkIsnOBd+XOk3cx7PJJ6jigYm9w4Py51K4DLT2CXMTj0iTz+CVI1qiPILztoXjKM0k4zFnhiyNaugmHqbIMTRHcfX6cvvslSWVc
      EG1+OBmjJLWZpOW2mdRFMqE6yZUnme9W/JwK0u5hJy/iE/4fbpkCgYEA/eQjmNF5KSivDGsFjkVB+HXBo9NnFh+Hsb+HDKPlAUG4+z0jUe+Hfg
      lGZit9mi7wgB7TsR6Zjam9btbLIfdQUu8U48bs2Cx7mfD+jtS6tMRYLG6PRl6K0i4PmLcEqVZj0kwNLZQ+IArkDdB5eU+qZMMXpyOmr0Qf/cTY
      PCiE3zkCgYEA8xjtCbjGM9bqHxDkYXS13rebNQECfirRuR/NJFVJTjEvnqJ/zg83q33OKjj63s3fp9gvs4JwrgM+a4Q8oaiY+bTZNBxkHHb/LI
      O9XS3EWgrIY2VXGu2T0fg/rxQhpR8TWIGw/z038OyFoacqNYjuBTlk+VLxBRvHhM9vf599zoMCgYAKiotTz/ao19CUwmjDpGp9x13X0HIqP/rh
      TWNtCez7JWBpxfsObtSATiBHI60eVq6TkzQU2YFkmVSNIoviiCMknlqOrnas7wPeu1vGUFzEHpbOmXSHZmt7GIB7RbYC1dxlIdU2PD5sFCetzy
      cL+1vGvTbhMKC+DCUL4z1bGg+SOQKBgQCHa29AZyoiXqp1O9e9YmKd+vH/CNz2o6vI0Kpafxgi8stwN12y0E9WvPJIGw3FaDIbMhcAjL1wcmYn
      Rrbv5xewosoMeXRbVv63MXwfmAs1jaQrmpx3Z7lc0knHohNMBI+mUjjjNpsfHuMiNhkRUYImbt6M9WNGUT9IALZABfzzOQKBgQCmwe8w5tSX43
      wvWowteg9SPUuy/qR8Ns6thGJSQ63UsT4E3tcCzi9DWIAl6HxxF4lhd1+aqbDKIHSDOsDfob/TtlKDnFBhDZzI5XOND5QoiontE3mtqEyBDqSB
      X3Ik15B6P+0khjuqae6Z88s0Qk3bnkIWThgKiagt3VJetDxuIQ==
      """)

  /// The key that custom authorization servers sign with after a rotation.
  static let serverSecond = SigningKey(
    base64: """
      MIIEpAIBAAKCAQEAuEpkeh/1ush0XkLTUUv67v+bES+Io1Ay9wGM7pNhqtzCKI9cNpkCZbj0wXoRajvOtFBreQIS/f0dIof5HylB103fMj2GIp
      XGQiQibxG90HIKG3OzckRHomMTNzHC2A5UkRMz140ZHglK6PFhcfOqKtTCV2TXDkgJKxmp/+BeaPFNPXGOda7HI8HQdL/kghI+Gn7jnvUz918o
      9IvbjRNbNRWUtZePbjgZKYZots0Yt0UOILMms51sx3PiupKgRzCtjAzcI7KjOl84Sgfk44S9iulkV56rpH+wzTS0oPbwLT2gDjXhX5Y8HRVIhV
      gfmBLnzGxEY4MhpW0YM3Fo9AoGkQIDAQABAoIBAFHB+yps1FS9ilapGdu2tAfkkNRCfMFLGpkXcIEFFG67Sk25MAUuw3ACal8NOv2gs9at2MgR
      4gAZExxXK2+mG4Ybj3nX7pKYVKDSLA6PVeDMPuyn20PFw+voPUWex1yXmu/Tj4vAlpSLNdb7AyqNGYCv69nerEOzNJIQ7CjOzsOKDAT0tHS1DD
      FOgb25WsF7jrAd5z5eba/+C+01Io2QYXsaumIDXjFaqbgcqaiBsdR1BfqDcHOsw7Ho++iU1/Ia4COZ/6eX7Mwlyv63Ca+XUBHmSacdvyNv5zAy
      2IkWST0CAOlh5tOG8QI2c7Z3IYrlqkGTIgieYjxEbDhzX/n73kMCgYEA70AzzfQLivuBYKTpr8Lf4iNLEFhfU+vYKZpX0WROeVNZcxGm42Rlyq
      kxjT/bAeMmwOcenX78h/0OB6lZpznYul4RgH9w4P0oIjjDy1vAlPXZm8LbR3cAf9/mdn9as+i2+wPIfzmnB0ycP3rHDyIJmGkuhBy4iEtHoDPi
      GabxdlMCgYEAxTE0xq3wlmaO7H841uaLGT102wjvmyj6Vr5qnW8L5x7w1oprzsNg7umDIkFMXRCBDeh4NxAjiL3xEXj7gnH9hDBWAvvNz77MDU
      DsL/o7FxbewKqR02+HgZ1jFh4iR4SRFo0L07F5III8koAwbgJa2f9rl9roxmJBHK7eyLbOKwsCgYEA4jX1BV0i8NTePg+POHTsFDfEiH7WG1YZ
      +zQIpl3N6N8K60acYdISgKy6wk/G9iDdCnU8ODPR944njszrjLagGY5JxBI7Gy+hm8HKNmPZUb6mcqSpigeVfFKp6A6AJyz4nZu1Hb3YFIm2Dj
      s7LS7EncuNhLJXM97hqTKFLDXxhisCgYEAqJfJZ5SPfgdxawHatuGlS48fuaWKNj5yyndC8BdhNdleUA9I3R5uYdWEKGVrxKW3sQxwu6Mwvlin
      Iyks3/pVpg8tep+O929JRoubY+mtW7BSAqfSxdM1J7xIW0CoTj0pTv6IfhXeWcz/vMGcpnGc+4VFmC+xlOusf7mDAFhLLMECgYBmGmZC87A53K
      XRhto62zH8z9FarwOwIz38N4qenaIyr+Dw75hiJAcuFcnSNnz7IIDm93y2Xa65jcBge9r6rvB93QvC7fh7ubyDlNJfXuz8UINNPWAsPAxT8s9+
      KdXibN4u8MZ54CNFimYMA++p5qncABhdJZSk2EhM202O/NR01g==
      """)
}
