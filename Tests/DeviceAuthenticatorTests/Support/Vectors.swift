// The vectors of spec/device.md §22. The keys are throw-away keys, made for the specification.

enum Vectors {
  /// The org's keys (§22.1).
  static let orgKeys = [
    #"{"keys":[{"kty":"RSA","alg":"RS256","use":"sig","kid":"sim-rs256-1","n":"rSsmPX3pyAX-Kf3cjGNliW8JDar"#,
    #"69w8PdKQZdj7D0nobQ7qGdzd0D4TeZwQ0P_lU8fPB6rkNKKJTOcOtUgVVDVMbtREQL1OFcNsfw4--iTcfkE7Ik3csIljcY0JxAJm"#,
    #"u1LfFdAmYVN8tdniQyTDrLgIw3y-gbU_o5Fnsv7V9pDsdc-1u1XilM-VvSknUxi1sH0k1jukrFuFPlTWzZUFbED6W0ehl_mmkKcE"#,
    #"oNFH5lTOjfBnix10aQeh-rBTrHsWSs-rUCCVXbaHuVRa0VXwsj_5Tsxr6CQrV7yZU3RAm_fgdTbW25sXPSEfSeWAy89iO2jtdXq1"#,
    #"tiHHq40znjpPPkw","e":"AQAB"}]}"#,
  ].joined()
  /// A challenge that the org signed, for CIBA, with user verification preferred (§22.1).
  static let challenge = [
    #"eyJraWQiOiJzaW0tcnMyNTYtMSIsInR5cCI6Im9rdGEtcHVzaGJpbmQrand0IiwiYWxnIjoiUlMyNTYifQ.eyJpc3MiOiJodHRwc"#,
    #"zovL29yZy5leGFtcGxlLnRlc3QiLCJhdWQiOiJva3RhLjYzYzA4MWRiLTFmMTMtNTA4NC04ODJmLWU3OWUxZTVlMmRhNyIsImV4c"#,
    #"CI6MTcwMDAwMDMwMCwiaWF0IjoxNzAwMDAwMDAwLCJqdGkiOiJmdFZlY3RvclRyYW5zYWN0aW9uMDAwMDAwMDAwMDAwMDAxIiwib"#,
    #"m9uY2UiOiJ2ZWN0b3Itbm9uY2UtMDAwMSIsInRyYW5zYWN0aW9uSWQiOiJmdFZlY3RvclRyYW5zYWN0aW9uMDAwMDAwMDAwMDAwM"#,
    #"DAxIiwic2lnbmFscyI6WyJpZCIsImRpc3BsYXlOYW1lIiwicGxhdGZvcm0iLCJvc1ZlcnNpb24iXSwidmVyaWZpY2F0aW9uVXJpI"#,
    #"joiaHR0cHM6Ly9vcmcuZXhhbXBsZS50ZXN0L2lkcC9teWFjY291bnQvYXBwLWF1dGhlbnRpY2F0b3JzL2NoYWxsZW5nZS9mdFZlY"#,
    #"3RvclRyYW5zYWN0aW9uMDAwMDAwMDAwMDAwMDAxL3ZlcmlmeSIsIm9yZ0lkIjoiMDBvVmVjdG9yT3JnMDAwMDAwMSIsImFwcEluc"#,
    #"3RhbmNlTmFtZSI6IlZlY3RvciBBcHAiLCJtZXRob2QiOiJwdXNoIiwibWV0aG9kRW5yb2xsbWVudElkIjoib3BmVmVjdG9yTWV0a"#,
    #"G9kMDAwMDEiLCJhdXRoZW50aWNhdG9yRW5yb2xsbWVudElkIjoicGZkVmVjdG9yRW5yb2xsMDAwMDEiLCJ1c2VyTWVkaWF0aW9uI"#,
    #"joiUkVRVUlSRUQiLCJ1c2VyVmVyaWZpY2F0aW9uIjoiUFJFRkVSUkVEIiwiY2hhbGxlbmdlQ29udGV4dCI6eyJjbGllbnRPUyI6I"#,
    #"k1BQ19PU19YIiwiY2xpZW50TG9jYXRpb24iOiJPc2xvLCBPc2xvLCBOb3J3YXkiLCJ0cmFuc2FjdGlvblRpbWUiOiIyMDIzLTExL"#,
    #"TE0VDIyOjEzOjIwLjAwMFoiLCJ0cmFuc2FjdGlvblR5cGUiOiJDSUJBIiwiYmluZGluZ01lc3NhZ2UiOiJQYXklMjAxMDAlMjUlM"#,
    #"jBvZiUyMCVFMiU4MiVBQzQyJTNGIn0sInVzZXJJZCI6IjAwdVZlY3RvclVzZXIwMDAwMDEiLCJ2ZXIiOjB9.PjizzU88RA7oFIRb"#,
    #"1aTOAcQdCJ_a17u-XFgvBEzYjPqLU7IsEldh5Uw-cJ-G40os4KBC86nO8v1VXFCCS0WcI3M1Y2qnX4KqfasvlCCNrDPnx9bkc0zx"#,
    #"Rx9Ypf-DGkA6lMFRCsHNBVZvpSlQMXVWZOAuXeCE2YNeNYKxBVtA8OJpcX11pwO0sCWxtXE1qRLln8hKz1qrFayWriTgz-WGvpXz"#,
    #"G8tGkfqpc6vg3-Fc0gBnKlCzgjENyEqiuHDLrT7wi4-p7oGU1_Tjl_n9x2sjEsrSr1oqCpeH5w_0Ccz3ypEgRHCfFZjpDusWh-Q8"#,
    #"By8gw1PG5cBk0JnU0A3Gnp-b2A"#,
  ].joined()
  /// A P-256 key whose x begins with a zero byte, with its private part (§22.2).
  static let deviceKey = [
    #"{"kty":"EC","crv":"P-256","kid":"8F0B6C1E-0000-4000-8000-000000000001","okta:kpr":"SOFTWARE","x":"AC"#,
    #"uW8TeM6O1UZ8sarjpJKCSjAq4aRLQl3sxtmusrORo","y":"qrQfy5UgghGq3o9Yb74PeMS88nZ7JoeT_2zwi3iVjas","d":"Mo"#,
    #"OAJsT3QFQwX6Z7qtTD-wKsdLSv3JLvJBTiyvqeZTE"}"#,
  ].joined()
  /// An answer signed with that key, whose r begins with a zero byte (§22.3).
  static let answer = [
    #"eyJhbGciOiJFUzI1NiIsInR5cCI6Im9rdGEtcHVzaGJpbmQrand0Iiwia2lkIjoiOEYwQjZDMUUtMDAwMC00MDAwLTgwMDAtMDAw"#,
    #"MDAwMDAwMDAxIn0.eyJpc3MiOiJwZmRWZWN0b3JFbnJvbGwwMDAwMSIsImF1ZCI6Imh0dHBzOi8vb3JnLmV4YW1wbGUudGVzdCIs"#,
    #"InN1YiI6IjAwdVZlY3RvclVzZXIwMDAwMDEiLCJpYXQiOjE3MDAwMDAwMTAsImV4cCI6MTcwMDAwMDMxMCwibmJmIjoxNjk5OTk5"#,
    #"NzEwLCJqdGkiOiI1RDJBMUY2MC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDIiLCJ0eCI6ImZ0VmVjdG9yVHJhbnNhY3Rpb24w"#,
    #"MDAwMDAwMDAwMDAwMDEiLCJhbXIiOltdLCJkZXZpY2VTaWduYWxzIjp7ImlkIjoiZ3VvVmVjdG9yRGV2aWNlMDAwMSIsImNsaWVu"#,
    #"dEluc3RhbmNlSWQiOiJjbGlWZWN0b3JDbGllbnQwMDAxIiwiZGlzcGxheU5hbWUiOiJidWlsZC1ob3N0LTciLCJwbGF0Zm9ybSI6"#,
    #"IkxJTlVYIiwib3NWZXJzaW9uIjoiMjQuMDQifSwibm9uY2UiOiJ2ZWN0b3Itbm9uY2UtMDAwMSIsIm1ldGhvZEVucm9sbG1lbnRJ"#,
    #"ZCI6Im9wZlZlY3Rvck1ldGhvZDAwMDAxIiwia2V5VHlwZSI6InByb29mT2ZQb3NzZXNzaW9uIiwiY2hhbGxlbmdlUmVzcG9uc2VD"#,
    #"b250ZXh0Ijp7InVzZXJDb25zZW50IjoiQVBQUk9WRURfQ09OU0VOVF9QUk9NUFQiLCJ0cmFuc2FjdGlvblR5cGUiOiJDSUJBIn0s"#,
    #"ImludGVncmF0aW9ucyI6W10sInNpZ25hbFByb3ZpZGVycyI6W119.ACYYq1J_6DSdnrspDmxBFAz6q81rhe9jTYpCM2wf2TrviUS"#,
    #"-wo0y9LUUIH_Sci1Fv2N1QeaYQbUUx47HfoYDQQ"#,
  ].joined()
  /// The same signature in DER and raw, in hex.
  static let der = [
    #"3044021f2618ab527fe8349d9ebb290e6c41140cfaabcd6b85ef634d8a42336c1fd93a022100ef8944bec28d32f4b514207f"#,
    #"d2722d45bf637541e69841b514c78ec77e860341"#,
  ].joined()
  static let raw = [
    #"002618ab527fe8349d9ebb290e6c41140cfaabcd6b85ef634d8a42336c1fd93aef8944bec28d32f4b514207fd2722d45bf63"#,
    #"7541e69841b514c78ec77e860341"#,
  ].joined()
}
