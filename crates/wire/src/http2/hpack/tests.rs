use super::*;

/// Bytes as RFC 7541 writes them.
fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

fn lines(decoder: &mut Decoder, block: &[u8]) -> Result<Vec<String>, Malformed> {
    let mut lines = Vec::new();
    decoder.decode(block, |name, value| {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        lines.push(format!("{}: {}", text(name), text(value)));
        Ok(())
    })?;
    Ok(lines)
}

/// Decodes blocks one after the other on one connection.
fn check(decoder: &mut Decoder, blocks: &[(&str, &[&str])]) {
    for (block, wanted) in blocks {
        assert_eq!(lines(decoder, &bytes(block)).unwrap(), *wanted, "{block}");
    }
}

#[test]
fn numbers_of_appendix_c_1() {
    for (hex, bits, value) in [("ea", 5, 10), ("1f9a0a", 5, 1337), ("2a", 8, 42)] {
        let block = bytes(hex);
        let mut rest = block.as_slice();
        assert_eq!(integer(&mut rest, bits), Ok(value), "{hex}");
        assert!(rest.is_empty());
    }
    let mut written = Vec::new();
    number(1337, 5, &mut written);
    assert_eq!(written, bytes("1f9a0a"));
    for value in [0, 126, 127, 128, 254, 255, 16_383, 16_384, 100_000] {
        let mut written = Vec::new();
        number(value, 7, &mut written);
        assert_eq!(integer(&mut written.as_slice(), 7), Ok(value));
    }
}

#[test]
fn fields_of_appendix_c_2() {
    for (block, line) in [
        (
            "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572",
            "custom-key: custom-header",
        ),
        ("040c 2f73 616d 706c 652f 7061 7468", ":path: /sample/path"),
        (
            "1008 7061 7373 776f 7264 0673 6563 7265 74",
            "password: secret",
        ),
        ("82", ":method: GET"),
    ] {
        check(&mut Decoder::default(), &[(block, &[line])]);
    }
}

#[test]
fn requests_of_appendices_c_3_and_c_4() {
    let wanted: [&[&str]; 3] = [
        &[
            ":method: GET",
            ":scheme: http",
            ":path: /",
            ":authority: www.example.com",
        ],
        &[
            ":method: GET",
            ":scheme: http",
            ":path: /",
            ":authority: www.example.com",
            "cache-control: no-cache",
        ],
        &[
            ":method: GET",
            ":scheme: https",
            ":path: /index.html",
            ":authority: www.example.com",
            "custom-key: custom-value",
        ],
    ];
    for blocks in [
        [
            "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
            "8286 84be 5808 6e6f 2d63 6163 6865",
            "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
        ],
        [
            "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
            "8286 84be 5886 a8eb 1064 9cbf",
            "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
        ],
    ] {
        let mut decoder = Decoder::default();
        for (block, wanted) in blocks.into_iter().zip(wanted) {
            check(&mut decoder, &[(block, wanted)]);
        }
    }
}

/// Their table holds 256 bytes, so that older fields have to go.
#[test]
fn answers_of_appendices_c_5_and_c_6() {
    let (first, second) = (
        "date: Mon, 21 Oct 2013 20:13:21 GMT",
        "date: Mon, 21 Oct 2013 20:13:22 GMT",
    );
    let place = "location: https://www.example.com";
    let cookie = "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1";
    let wanted: [&[&str]; 3] = [
        &[":status: 302", "cache-control: private", first, place],
        &[":status: 307", "cache-control: private", first, place],
        &[
            ":status: 200",
            "cache-control: private",
            second,
            place,
            "content-encoding: gzip",
            cookie,
        ],
    ];
    for blocks in [
        [
            "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
            "4803 3330 37c1 c0bf",
            "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31",
        ],
        [
            "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
            "4883 640e ffc1 c0bf",
            "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07",
        ],
    ] {
        let mut decoder = Decoder::default();
        check(&mut decoder, &[("3fe1 01", &[])]);
        for (block, wanted) in blocks.into_iter().zip(wanted) {
            check(&mut decoder, &[(block, wanted)]);
        }
        // After the third answer the table holds three fields, the newest first.
        check(
            &mut decoder,
            &[("be bf c0", &[cookie, "content-encoding: gzip", second])],
        );
        assert_eq!(lines(&mut decoder, &[0xc1]), Err(Malformed::Compression));
    }
}

#[test]
fn what_is_forbidden() {
    for (hex, why) in [
        ("80", "number 0"),
        ("be", "a number beyond the static table"),
        ("ff ff ff ff ff 0f", "a number that is too large"),
        ("ff", "a number without its end"),
        ("40", "a literal without its name"),
        ("40 0a 61", "a name that is cut"),
        ("40 01 61", "a literal without its value"),
        ("44 05 61", "a value that is cut"),
        ("44 81 00", "Huffman padding of zeros"),
        ("44 84 ffffffff", "EOS"),
        ("82 20", "a change of size after a field"),
        ("3f e2 1f", "a size of 4097"),
        (
            "7f 00 01 61",
            "a literal with a name of a number beyond the table",
        ),
    ] {
        let outcome = lines(&mut Decoder::default(), &bytes(hex));
        assert_eq!(outcome, Err(Malformed::Compression), "{why}");
    }
}

#[test]
fn the_table_keeps_its_size() {
    let mut decoder = Decoder::default();
    let large = [&[0x40, 1, b'n'][..], &[0x7f, 0xc1, 0x1e], &[b'v'; 4032]].concat();
    check(&mut decoder, &[("40 01 61 01 62", &["a: b"])]);
    // 4032 + 1 + 32 bytes leave no room for the field before it …
    assert_eq!(lines(&mut decoder, &large).unwrap().len(), 1);
    assert!(lines(&mut decoder, &[0xbe]).unwrap()[0].starts_with("n: v"));
    assert!(lines(&mut decoder, &[0xbf]).is_err());
    // … and one of more than 4096 empties it.
    let larger = [&[0x40, 1, b'n'][..], &[0x7f, 0xe1, 0x1f], &[b'v'; 4192]].concat();
    assert_eq!(lines(&mut decoder, &larger).unwrap().len(), 1);
    assert!(lines(&mut decoder, &[0xbe]).is_err());
    // A table of no size takes nothing, until it may again.
    check(&mut decoder, &[("20 40 01 61 01 62", &["a: b"])]);
    assert!(lines(&mut decoder, &[0xbe]).is_err());
    check(
        &mut decoder,
        &[("3fe11f 40 01 61 01 62", &["a: b"]), ("be", &["a: b"])],
    );
}

#[test]
fn what_is_written_can_be_read() {
    let mut block = Vec::new();
    for (name, value) in [
        (":method", "GET"),
        (":path", "/sample/path"),
        ("x-own", ""),
        (":authority", "a"),
    ] {
        encode(name, value, &mut block);
    }
    assert_eq!(block[..15], bytes("82 040c 2f73 616d 706c 652f 7061 7468"));
    let mut decoder = Decoder::default();
    let wanted = [
        ":method: GET",
        ":path: /sample/path",
        "x-own: ",
        ":authority: a",
    ];
    assert_eq!(lines(&mut decoder, &block).unwrap(), wanted);
    assert_eq!(decoder.epoch(), 0, "it must leave the table alone");
}
