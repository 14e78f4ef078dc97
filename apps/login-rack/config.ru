# A login as a Rails application does it: ask the database for the account, check the password, start a
# session. The database is a wait, in which the process is not free for anybody else; the password's hash is
# PBKDF2 (RFC 8018), with so few rounds that a login costs some milliseconds of a core, as one in Rails does.
# LOGIN_ROUNDS and LOGIN_WAIT make it cheaper, where what carries the request is measured and not the login; with
# LOGIN_LEAK it takes ever more memory.

require "openssl"
require "rack/utils"

# Rounds of the password's hash, and seconds that the database takes to answer.
ROUNDS = Integer(ENV.fetch("LOGIN_ROUNDS", "20000"))
DATABASE = Float(ENV.fetch("LOGIN_WAIT", "0.01"))
SALT = "weir: a salt for one account in a laboratory"
ACCOUNT = "ada"
PASSWORD = "correct horse"

derive = ->(password) { OpenSSL::PKCS5.pbkdf2_hmac(password, SALT, ROUNDS, 32, "sha256") }
if RUBY_ENGINE == "jruby" # whose OpenSSL needs half a second for what Java's own library does in milliseconds
  require "java"
  derive = lambda do |password|
    key = javax.crypto.spec.PBEKeySpec.new(password.to_java.to_char_array, SALT.to_java_bytes, ROUNDS, 256)
    hash = javax.crypto.SecretKeyFactory.get_instance("PBKDF2WithHmacSHA256").generate_secret(key)
    String.from_java_bytes(hash.encoded)
  end
end
stored = derive.(PASSWORD)

# Bytes that each login leaves behind, as a program does that forgets to forget.
LEAK = Integer(ENV.fetch("LOGIN_LEAK", "0"))
left = []

# The name, if it and the password of HTTP Basic (RFC 7617) are right. An unknown name costs as much as a
# wrong password, or the time would tell them apart.
login = lambda do |header|
  scheme, encoded = header.to_s.split(" ", 2)
  next unless scheme&.downcase == "basic" && encoded

  name, password = encoded.unpack1("m").split(":", 2)
  sleep DATABASE if DATABASE > 0
  right = Rack::Utils.secure_compare(derive.(password.to_s), stored)
  name if right && name == ACCOUNT
end

run(lambda do |env|
  name = login.(env["HTTP_AUTHORIZATION"])
  left << "x" * LEAK if LEAK > 0
  body = name ? "Welcome, #{name}.\n" : "Who are you?\n"
  headers = { "Content-Type" => "text/plain; charset=utf-8", "Content-Length" => body.bytesize.to_s }
  headers["WWW-Authenticate"] = 'Basic realm="login", charset="UTF-8"' unless name
  [name ? 200 : 401, headers, [body]]
end)
