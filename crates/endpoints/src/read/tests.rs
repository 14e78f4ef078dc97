use std::io::Write as _;

use super::*;

const LINE: &str = "10.0.0.1 - - [t] \"GET /a/7 HTTP/1.1\" 200 5 \"-\" \"x\" 0.100\n";

fn counted(bytes: &[u8]) -> Result<(Read, u64), ReadError> {
    let mut count = 0;
    let read = read(bytes, How::default(), &mut |_| count += 1)?;
    Ok((read, count))
}

#[test]
fn lines_that_say_nothing_are_told_and_the_others_counted() {
    let text = format!("started\n{LINE}\n\r\n{LINE}nothing\n{}", LINE.trim_end());
    let (read, count) = counted(text.as_bytes()).unwrap();
    assert_eq!(
        (read.format, read.requests, read.timed, count),
        (Format::Combined, 3, 3, 3)
    );
    let unread = read.unread.unwrap();
    assert_eq!(
        (unread.lines, unread.first, &*unread.text),
        (2, 1, "started")
    );
}

#[test]
fn compressed_ones_are_read_as_they_are() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(LINE.repeat(1_000).as_bytes()).unwrap();
    assert_eq!(counted(&gzip.finish().unwrap()).unwrap().1, 1_000);
    let zstd = ruzstd::encoding::compress_to_vec(
        LINE.repeat(1_000).as_bytes(),
        ruzstd::encoding::CompressionLevel::Fastest,
    );
    assert_eq!(counted(&zstd).unwrap().1, 1_000);
}

#[test]
fn all_that_zstd_has_packed_into_one_file_is_read() {
    let packed = ruzstd::encoding::compress_to_vec(
        LINE.repeat(1_000).as_bytes(),
        ruzstd::encoding::CompressionLevel::Fastest,
    );
    // a frame of three bytes that is to be skipped
    let skipped = b"\x5a\x2a\x4d\x18\x03\0\0\0abc".to_vec();
    let all = [packed.clone(), skipped.clone(), packed.clone()].concat();
    let (read, count) = counted(&all).unwrap();
    assert_eq!((count, read.cut), (2_000, None));
    let led = [skipped.clone(), packed].concat();
    assert_eq!(counted(&led).unwrap().1, 1_000);
    assert!(matches!(counted(&skipped), Err(ReadError::Empty)));
    let (read, count) = counted(&all[..all.len() - 2]).unwrap();
    assert!((1_000..=2_000).contains(&count), "{count}");
    assert!(read.cut.is_some());
    let (read, count) = counted(&[led, b"no frame".to_vec()].concat()).unwrap();
    assert!(count == 1_000 && read.cut.is_some(), "{count}");
}

#[test]
fn what_is_read_as_plain_is_not_unpacked() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(LINE.repeat(1_000).as_bytes()).unwrap();
    let mut count = 0;
    let packed = gzip.finish().unwrap();
    let read = read_plain(&packed[..], How::default(), &mut |_| count += 1);
    assert!(read.is_err(), "{read:?}");
    assert_eq!(count, 0);
    read_plain(LINE.as_bytes(), How::default(), &mut |_| count += 1).unwrap();
    assert_eq!(count, 1);
}

#[test]
fn a_line_without_an_end_is_bounded() {
    let mut bytes = vec![b'x'; 3 * LONGEST];
    bytes.push(b'\n');
    bytes.extend_from_slice(LINE.as_bytes());
    let (read, count) = counted(&bytes).unwrap();
    assert_eq!((count, read.lines), (1, 2));
    assert_eq!(read.unread.unwrap().text.len(), SHOWN);
}

#[test]
fn what_is_no_log_is_told_as_such() {
    assert!(matches!(counted(b""), Err(ReadError::Empty)));
    assert!(matches!(counted(b"\n\n"), Err(ReadError::Empty)));
    let Err(ReadError::Unknown { lines, text }) = counted(&b"hello\n".repeat(5_000)) else {
        panic!("it is no log");
    };
    assert_eq!((lines, text.as_str()), (LOOKED_AT, "hello"));
    assert!(matches!(
        counted(&[0x1f, 0x8b, 0, 0, 1]),
        Err(ReadError::Io(_) | ReadError::Cut(_))
    ));
}

/// The times of a log in seconds, and what was read of it.
fn timed(lines: &[String], unit: Option<Unit>) -> (Vec<Option<f64>>, Read) {
    let (text, mut times) = (lines.join("\n"), Vec::new());
    let how = How { unit, format: None };
    let read = read(text.as_bytes(), how, &mut |entry| times.push(entry.seconds)).unwrap();
    (times, read)
}

fn ending(ends: &[&str]) -> Vec<String> {
    let line = LINE.trim_end().strip_suffix("0.100").unwrap();
    ends.iter().map(|end| format!("{line}{end}")).collect()
}

#[test]
fn whole_numbers_behind_a_request_are_what_they_can_be() {
    let (times, read) = timed(&ending(&["0", "0", "1", "3"]), None);
    assert_eq!(times, [0.0, 0.0, 1.0, 3.0].map(Some));
    let [reading] = &read.units[..] else {
        panic!("{:?}", read.units);
    };
    assert_eq!(
        (reading.unit, reading.basis),
        (Unit::Seconds, Basis::Guessed)
    );
    let (times, read) = timed(&ending(&["510", "7", "5123"]), None);
    assert_eq!(times[2], Some(0.005_123));
    assert_eq!(read.units[0].unit, Unit::Microseconds);
    // and whoever knows better says so
    let (times, read) = timed(&ending(&["510", "7", "5123"]), Some(Unit::Milliseconds));
    assert_eq!(times[2], Some(5.123));
    assert!(read.units[0].is_given);
}

#[test]
fn a_key_of_several_programs_is_read_in_the_unit_that_fits_most() {
    let of = |values: &[&str]| {
        let line = |value: &&str| {
            format!(r#"{{"method":"GET","path":"/a","status":200,"latency":{value}}}"#)
        };
        let (times, read) = timed(&values.iter().map(line).collect::<Vec<_>>(), None);
        (times[0].unwrap(), read.units[0].unit)
    };
    assert_eq!(
        of(&["12000000", "900000", "31000000"]),
        (0.012, Unit::Nanoseconds)
    );
    assert_eq!(of(&["0.012", "0.5", "1"]), (0.012, Unit::Seconds));
    assert_eq!(of(&["12", "0", "250"]), (0.012, Unit::Milliseconds));
    assert_eq!(of(&["12.5", "80.25", "250"]), (0.0125, Unit::Milliseconds));
}

#[test]
fn what_the_format_defines_stays_whatever_is_said() {
    let lines = ["app.request:320|ms".to_owned()];
    let (times, read) = timed(&lines, Some(Unit::Nanoseconds));
    assert_eq!(times, [Some(0.32)]);
    assert!(!read.units[0].is_given && read.units[0].basis == Basis::Defined);
}

#[test]
fn times_that_cannot_be_are_counted_with_the_first_of_them() {
    let ends = ["0.1", "-", "-0.5", "nan", "inf", "1e300", "90000.0"];
    let (times, read) = timed(&ending(&ends), None);
    assert_eq!(times.iter().flatten().count(), 1);
    assert_eq!((read.requests, read.timed), (7, 1));
    let odd = read.odd.unwrap();
    assert_eq!((odd.requests, odd.long, odd.line), (5, 2, 3));
    assert!((odd.value + 0.5).abs() < 1e-9);
}

#[test]
fn of_a_log_that_is_cut_off_its_begin_is_read() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for number in 0..20_000 {
        let line = LINE.replace("/a/7", &format!("/a/{}", number * 7_919));
        gzip.write_all(line.as_bytes()).unwrap();
    }
    let whole = gzip.finish().unwrap();
    let (read, count) = counted(&whole[..whole.len() / 2]).unwrap();
    assert!((1_000..19_000).contains(&count), "{count}");
    assert_eq!((read.requests, read.unread), (count, None));
    assert!(read.cut.is_some());
    assert_eq!(counted(&whole).unwrap().0.cut, None);
    assert!(matches!(counted(&whole[..20]), Err(ReadError::Cut(_))));
    // a frame of zstd that is to have one block of 100 bytes, and has one byte of it
    let cut = counted(b"\x28\xb5\x2f\xfd\x20\x64\x21\x03\x00G").unwrap_err();
    let words = "it is damaged, or ends in the middle, before a line that weir reads";
    assert_eq!(cut.to_string(), words);
}
